"""Parts of a page that are rendered on their own, and where games' templates are found."""

import json
import re
import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

from matches.engine.core import FINISHED
from matches.models import Match, clock
from matches.queries.matches import Position

# -- game templates --------------------------------------------------------------------------------------
# Which template renders a part of a match: the game's own, or the standard one.

STANDARD = ("shape", "status", "more", "summary", "purse", "panel", "forecast", "receipt", "result", "history", "holds")
"""Parts for which games need no template, because there is a standard one."""


def template_of(game: str, part: str) -> tuple[str, ...]:
    """Return the template names to try for a part, in order."""
    own = f"games/{game}/{part}.html"
    return (own, f"matches/standard/{part}.html") if part in STANDARD else (own,)


def picture_of(game: str) -> tuple[str, ...]:
    """Return the template names to try for the picture of a match, which is an SVG."""
    return (f"games/{game}/picture.svg", "matches/standard/picture.svg")


# -- part of play ----------------------------------------------------------------------------------------

OWN_PART = "own_part"
"""The key under which frames say which part of play the player's own parts belong to (`own_part_of`)."""


def own_part_of(position: Position) -> str:
    """Return a text that names the part of play and whether the match is paused."""
    phase = position.public.phase if position.public else ""
    return f"{position.match.status} {phase} {position.match.part_of_play(position.public)}"


# -- fragments -------------------------------------------------------------------------------------------
# Fragments: elements of a part that can be pushed on their own.
# A bid often changes one seat on a board of a hundred, and the board goes to everybody who watches, so only the changed
# elements are sent. A template puts an element between `{% fragment %}` and `{% endfragment %}`; it is then written on
# a line of its own, and its id must be unique on the page. If two versions of a part differ only in such lines, those
# elements are sent instead of the whole part.

_OPENING = re.compile(r'\s*<([a-z]+) id="([\w-]+)"')
_FRAGMENT = re.compile(r'<[a-z]+ data-fragment id="([\w-]+)"')


def mark(html: str) -> str:
    """Return an element marked as a fragment, on one line.

    `html` is one element whose first attribute is its id. Raises ValueError for anything else.
    """
    opening = _OPENING.match(html)
    if opening is None:
        raise ValueError(f"A fragment is one element, and its first attribute its id: {html.strip()[:60]!r}")
    tag, name = opening.groups()
    rest = " ".join(html[opening.end() :].rstrip().splitlines())
    return f'\n<{tag} data-fragment id="{name}"{rest}\n'


def changed(before: str, after: str) -> dict[str, str] | None:
    """Return the elements that differ in two versions of a part (id -> new text); None if more than elements differ."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return None
    found: dict[str, str] = {}
    for was, now in zip(old, new, strict=True):
        if was == now:
            continue
        name = _FRAGMENT.match(now)
        if name is None or not was.startswith(name[0]):
            return None
        found[name[1]] = now
    return found


def sums(parts: Mapping[str, str]) -> dict[str, str]:
    """Return each part's checksum. All have the same length, so that a page's length reveals nothing."""
    return {name: f"{zlib.crc32(text.encode()):08x}" for name, text in parts.items()}


def checksums(parts: Mapping[str, str]) -> str:
    """Return the checksums as JSON for a page, which uses them to tell what its first frame would not change."""
    return json.dumps(sums(parts))


# -- staged ----------------------------------------------------------------------------------------------
# A position that was never played in the match itself, shown on the match's public page.


def staged(match: Match, state: Any, time: timedelta, now: datetime, seed: str) -> Match:
    """Return an unsaved match that reaches this position, at match time `time`, at `now`. It has only public facts of
    the real one; `seed` (hex) is the one that the position was played with."""
    over = state.core.phase == FINISHED
    due = match.rules.next_deadline(state)
    shown = Match(
        public_id=match.public_id,
        game=match.game,
        title=match.title,
        description=match.description,
        seed=seed,
        status=Match.Status.FINISHED if over else Match.Status.OPEN,
        speed=match.speed,
        opened_at=now - time / match.speed,
        finished_at=now if over else None,
        state=match.rules.encode_state(state).decode(),
    )
    shown.set_clock(clock.MatchClock(now, time))
    shown.next_deadline_at = None if due is None else shown.clock.instant(due)
    return shown


# -- present ---------------------------------------------------------------------------------------------
# The current time for every page: its countdowns go by the database's time, not by the browser's clock.


def present(request: HttpRequest) -> dict[str, datetime]:
    """Context processor: add the current time as `server_now`."""
    return {"server_now": clock.now()}


# -- acts ------------------------------------------------------------------------------------------------
# The part with the forms in which a player acts.


def with_tokens(part: str, address: str, token: str, keys: Mapping[str, str]) -> SafeString:
    """Return this part of a page with each of its forms (`act_form`) completed by the hidden inputs that its frame has.
    `keys`: idempotency keys by action type."""

    def filled(form: re.Match[str]) -> str:
        hidden = {"csrfmiddlewaretoken": token, "type": form[1], "key": keys.get(form[1], "")}
        fields = ((name, value) for name, value in hidden.items() if value)
        inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', fields)
        return f'{form[0][:-1]} action="{escape(address)}">{inputs}'

    return SafeString(re.sub(r'<form class="act-fields" data-of="(\w+)"[^>]*>', filled, part))


def has_fields(act: str) -> bool:
    """Whether this HTML has anything to send: such elements name the form they belong to."""
    return 'form="act-' in act


def has_several(act: str) -> bool:
    """Whether this HTML has fields or buttons of more than one form."""
    return len(set(re.findall(r'form="(act-[^"]+)"', act))) > 1


def is_told(act: str) -> bool:
    """Whether this HTML says anything but that nothing is asked."""
    return bool(act.strip()) and (has_fields(act) or "data-nothing-asked" not in act)
