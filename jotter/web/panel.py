"""A person's notebook on the match page, and what a page needs to show forms as they were typed."""

from __future__ import annotations

import json
from typing import Any

from jotter.queries.notebook import notebook_of
from jotter.queries.unsent import unsent_of
from jotter.services.notebook import LONGEST, MARKS, version_of
from matches.pages import avatars
from matches.pages.additions import Addition, Panel
from matches.queries.access import Viewer

SIGNS = {"star": "★", "circle": "●", "triangle": "▲", "square": "■"}


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """The panel, for everybody with an account."""
    if not viewer.user.is_authenticated:
        return ()
    unsent = [typed._asdict() for typed in unsent_of(viewer)]
    own = panel_context(viewer) | {"unsent": json.dumps(unsent) if unsent else "", "plays": viewer.player is not None}
    return (Panel("notebook", "Your notes", template="jotter/panel.html", own=own),)


def panel_context(viewer: Viewer) -> dict[str, Any]:
    """A person's notes and marks, and what can be marked."""
    book = notebook_of(viewer)
    players = list(viewer.match.players.all())
    places = {player.handle: index for index, player in enumerate(players)}
    names = {player.handle: player.shown_name for player in players}
    return {
        "text": book.text if book else "",
        "seen": version_of(book),
        "longest": LONGEST,
        "marks": [
            {
                "target": target,
                "name": names.get(target, target),
                "kind": kind,
                "sign": SIGNS[kind],
                "shape": avatars.mark_of(places[target]) if target in places else "",
                "colour": avatars.colour_of(places[target]) if target in places else "",
            }
            for target, kind in (book.marks if book else {}).items()
        ],
        "kinds": [(kind, SIGNS[kind]) for kind in MARKS],
        "players": names,
    }
