"""Parts of a page that are rendered on their own, and the templates of games."""

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
# Finds the template of a part of a match: the game's own, or the standard one if it has none.

STANDARD = ("shape", "status", "more", "summary", "purse", "panel", "forecast", "receipt", "result", "history", "holds")
"""Parts that games may leave out, because there is a standard template for them."""


def template_of(game: str, part: str) -> tuple[str, ...]:
    """The template names to try for a part, in order."""
    own = f"games/{game}/{part}.html"
    return (own, f"matches/standard/{part}.html") if part in STANDARD else (own,)


def picture_of(game: str) -> tuple[str, ...]:
    """The same for the picture of a match, which is an SVG."""
    return (f"games/{game}/picture.svg", "matches/standard/picture.svg")


# -- part of play ----------------------------------------------------------------------------------------
# In which part of its play a match is, such as a round: what a player can do in another is something else.

OWN_PART = "own_part"
"""Beside a player's own parts of a page stands of which part of the match they are (`own_part_of`)."""


def part_of_play(match: Match, view: Any) -> str:
    """The part in the match's own words; none before its play, and none once it is over."""
    return match.rules.progress(view).where if view and not match.is_over else ""


def own_part_of(position: Position) -> str:
    """What names the part, and whether the match is paused."""
    phase = position.public.phase if position.public else ""
    return f"{position.match.status} {phase} {part_of_play(position.match, position.public)}"


# -- fragments -------------------------------------------------------------------------------------------
# Fragments: elements of a part that a push can send on their own.
#
# A bid often changes one seat on a board of a hundred, and the board goes to everybody who watches, so only the
# changed elements are sent. A template puts an element between `{% fragment %}` and `{% endfragment %}`; it is then
# written on a line of its own, and its id must be unique on the page. If two versions of a part differ only in such
# lines, those elements are sent instead of the whole part.

_OPENING = re.compile(r'\s*<([a-z]+) id="([\w-]+)"')
_FRAGMENT = re.compile(r'<[a-z]+ data-fragment id="([\w-]+)"')


def mark(html: str) -> str:
    """An element marked as a fragment, on one line.

    `html` is one element whose first attribute is its id. Raises ValueError for anything else.
    """
    opening = _OPENING.match(html)
    if opening is None:
        raise ValueError(f"A fragment is one element, and its first attribute its id: {html.strip()[:60]!r}")
    tag, name = opening.groups()
    rest = " ".join(html[opening.end() :].rstrip().splitlines())
    return f'\n<{tag} data-fragment id="{name}"{rest}\n'


def changed(before: str, after: str) -> dict[str, str] | None:
    """Id -> new text of the elements in which two versions of a part differ; None if they differ elsewhere too."""
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
    """The checksum of each part. All are of one length, so that the length of a page tells nothing of its texts."""
    return {name: f"{zlib.crc32(text.encode()):08x}" for name, text in parts.items()}


def checksums(parts: Mapping[str, str]) -> str:
    """The same as JSON, for a page: by these it knows what of its first frame it was made of already."""
    return json.dumps(sums(parts))


# -- staged ----------------------------------------------------------------------------------------------
# A position that was never played in the match itself, put on its public page.


def staged(match: Match, state: Any, time: timedelta, now: datetime, seed: str) -> Match:
    """An unsaved match in this position, which it has at `now` and at this match time. It has only public facts of the
    real one; `seed` (hex) is the one that the position comes from."""
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
    shown.start_clock(now, time)
    shown.next_deadline_at = None if due is None else shown.clock.instant(due)
    return shown


# -- present ---------------------------------------------------------------------------------------------
# The present, for every page: its countdowns go by the database's time, not by the browser's clock.


def present(request: HttpRequest) -> dict[str, datetime]:
    """A context processor."""
    return {"server_now": clock.now()}


# -- acts ------------------------------------------------------------------------------------------------
# What the part holds in which a player acts.


def with_tokens(part: str, address: str, token: str, keys: Mapping[str, str]) -> SafeString:
    """This part of a page, each of its forms (`act_form`) with what its frame has. `keys`: by type."""

    def filled(form: re.Match[str]) -> str:
        hidden = {"csrfmiddlewaretoken": token, "type": form[1], "key": keys.get(form[1], "")}
        fields = ((name, value) for name, value in hidden.items() if value)
        inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', fields)
        return f'{form[0][:-1]} action="{escape(address)}">{inputs}'

    return SafeString(re.sub(r'<form class="act-fields" data-of="(\w+)"[^>]*>', filled, part))


def has_fields(act: str) -> bool:
    """Whether this part of a page, in HTML, has anything to send: what has names the frame of its form."""
    return 'form="act-' in act


def has_several(act: str) -> bool:
    """Whether it has fields or buttons of more than one form."""
    return len(set(re.findall(r'form="(act-[^"]+)"', act))) > 1


def is_told(act: str) -> bool:
    """Whether it has anything to read besides that nothing is asked."""
    return bool(act.strip()) and (has_fields(act) or "data-nothing-asked" not in act)
