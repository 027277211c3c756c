"""Renders views to HTML, in parts. The same templates make the first page and every push after it.

A part is the content of the element `part-<name>` on the match page. Public parts are the same bytes for everybody;
the page, which knows the viewer (`data-me`), marks what is the viewer's own. No part contains a CSRF token: fields name
their form, and the forms are outside the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from matches.engine.actions import DECISIONS
from matches.models import Match, Player
from matches.pages.context import MatchContext, people_of
from matches.pages.form_state import FormState
from matches.pages.game_templates import template_of
from matches.pages.noted import Sources
from matches.queries import feed
from matches.queries import matches as match_queries
from matches.queries.matches import Position

Parts = dict[str, str]

PUBLIC_PARTS = ("status", "board", "more", "decisions", "players", "feed")
PRIVATE_PARTS = ("asked", "panel", "act", "private_feed")

_FEED_LINES = 12  # pushed with every bid; the others are on a page of their own
_PRIVATE_LINES = 12


def position_of(match: Match) -> Position:
    """The position of a match; its players are read once for everything that shows them."""
    prefetch_related_objects([match], "players")
    return Position(match)


class _Look:
    """A position at one moment, as the templates of everybody and of each player look at it."""

    def __init__(self, position: Position, now: datetime) -> None:
        prefetch_related_objects([position.match], "players")
        self.now = now
        self.match = position.match
        self.people = people_of(position.match)
        shown = MatchContext(position, now, self.people)
        self.sources = Sources(now, shown.times, shown.people, view=position.public, match=shown.info)
        self.place = (position.match.public_id, position.match.game)
        """Whose texts they are; ids of rows may come again."""


_looks: WeakKeyDictionary[Position, _Look] = WeakKeyDictionary()
_read: dict[Hashable, tuple[object, Any]] = {}
_shown: dict[Hashable, tuple[str, Parts]] = {}
_MOST = 4096


def _look(position: Position, now: datetime) -> _Look:
    look = _looks.get(position)
    if look is None or look.now != now:
        look = _looks[position] = _Look(position, now)
    return look


def _once(key: Hashable, version: object, read: Callable[[], Any]) -> Any:
    """What was read for this version; read again for another one."""
    known, value = _read.get(key, (None, None))
    if known != version:
        value = read()
        if len(_read) >= _MOST:
            _read.clear()
        _read[key] = version, value
    return value


def _remember(place: Hashable, versions: str, parts: Parts) -> None:
    if len(_shown) >= _MOST:
        _shown.clear()
    _shown[place] = versions, parts


def shown_as_of(match: Match, player: Player, versions: str) -> Parts:
    """The parts that a player sees at these versions, the public one and, after a space, their own: those of them that
    this process has rendered, and nothing newer since."""
    place = (match.public_id, match.game)
    found: Parts = {}
    for whose, seen in ((place, versions.partition(" ")[0]), ((place, player.pk, player.user_id), versions)):
        known, parts = _shown.get(whose, ("", {}))
        if known == seen:
            found |= parts
    return found


def public_parts(position: Position, now: datetime, *, exact: bool = False) -> Parts:
    """What everybody sees. `exact`: with the countdowns of this moment, for pages that may have no scripts."""
    look, match = _look(position, now), position.match
    parts = {
        name: look.sources.text((look.place, name), partial(render, match), exact) for name, render in _TABLE.items()
    }
    told = _once((look.place, "feed"), (match.log_count, look.people.key), lambda: feed.feed(match, None, _FEED_LINES))
    parts["feed"] = look.sources.text(
        (look.place, "feed"), partial(_render, "matches/parts/feed.html"), exact, lines=told
    )
    _remember(look.place, str(match.public_version), parts)
    return dict(parts)


def table_parts(position: Position, shown: MatchContext) -> Parts:
    """Of what everybody sees, what the position alone makes: all but the feed."""
    context = shown.context()
    return {name: render(position.match, context) for name, render in _TABLE.items()}


def _status(match: Match, context: dict[str, Any]) -> str:
    return _render("matches/parts/status.html", context, game_part=_of_game(match, "status"))


def _board(match: Match, context: dict[str, Any]) -> str:
    return _render("matches/parts/coming.html" if context["view"] is None else _of_game(match, "board"), context)


def _more(match: Match, context: dict[str, Any]) -> str:
    """What belongs to the board and is not the board: below it, on a phone below the player's own things too."""
    if context["view"] is None:
        return ""
    html = render_to_string(_of_game(match, "more"), context)
    return SafeString(html.strip())  # so that the style sheet can tell that there is nothing


def _decisions(match: Match, context: dict[str, Any]) -> str:
    return "" if context["match"].status == "cancelled" else _render("matches/parts/decisions.html", context)


def _players(match: Match, context: dict[str, Any]) -> str:
    known = {"standings": _standings(context["view"]), "priorities": _priorities(context["view"])}
    return _render("matches/parts/players.html", context, **known)


_TABLE: dict[str, Callable[[Match, dict[str, Any]], str]] = {
    "status": _status,
    "board": _board,
    "more": _more,
    "decisions": _decisions,
    "players": _players,
}


def _standings(view: Any) -> dict[str, tuple[str, ...]]:
    """Handle -> the words that everyone may know about them: winner, candidate."""
    words: dict[str, tuple[str, ...]] = {}
    for handle in view.winners if view else ():
        words[handle] = ("winner",)
    for handle in view.candidates if view else ():
        words[handle] = (*words.get(handle, ()), "candidate")
    return words


def _priorities(view: Any) -> dict[str, int]:
    """Handle -> priority; empty where nobody has any, for then it decides nothing."""
    held = {line.handle: line.priority for line in (view.players if view else ())}
    return held if any(held.values()) else {}


def private_parts(
    position: Position,
    player: Player,
    now: datetime,
    *,
    form_state: FormState | None = None,
    chosen: str = "",
    exact: bool = False,
) -> Parts:
    """What one player sees beyond that. `form_state` is a form that was sent and came back, `chosen` a lot
    that the page was opened for."""
    look, match = _look(position, now), position.match
    own, me = position.private_of(player), look.people.get(player.handle)
    mine, place = look.sources.with_own(own), (look.place, player.pk, player.user_id)
    lines, held = _once(
        place,
        (player.version, look.people.key),
        lambda: (feed.private_lines(match, player, _PRIVATE_LINES), match_queries.blood_garnets(player)),
    )
    parts = dict.fromkeys(PRIVATE_PARTS, "")
    parts["private_feed"] = mine.text(
        (place, "private_feed"), partial(_render, "matches/parts/private_feed.html"), exact, lines=lines
    )
    if own is None:
        return parts
    asked = partial(_render, "matches/parts/asked.html")
    parts["asked"] = mine.text((place, "asked"), asked, exact)
    parts["panel"] = mine.text((place, "panel"), partial(_panel, match), exact, me=me)
    money = {"held": held, "grow": match.blood_garnets, "next_growth": match.blood_grows_at}
    if held is not None:
        blood = partial(_render, "matches/parts/blood_garnets.html")
        parts["panel"] = SafeString(parts["panel"] + mine.text((place, "blood"), blood, exact, **money))
    # A form that came back, and a lot that a page was opened for, are of one request alone.
    form: dict[str, Any] = {"me": me, "form_state": form_state or FormState(), "chosen": chosen}
    kept_as = None if form_state or chosen else (place, "act")
    parts["act"] = mine.text(kept_as, partial(_act, match), exact, **form)
    if kept_as:
        _remember(place, f"{match.public_version} {player.version}", parts)
    return dict(parts)


def _panel(match: Match, context: dict[str, Any]) -> str:
    return _render(_of_game(match, "panel"), context)


def _act(match: Match, context: dict[str, Any]) -> str:
    asks = [ask for ask in context["own"].asked if ask.kind in DECISIONS]
    return _render("matches/parts/act.html", context, asks=asks, game_part=_of_game(match, "act"))


def summary(position: Position, now: datetime) -> str:
    """A match in a few lines, for lists."""
    if position.public is None:
        return ""
    return _render(_of_game(position.match, "summary"), MatchContext(position, now).context())


def _of_game(match: Match, part: str) -> tuple[str, ...]:
    return template_of(match.game, part)


def _render(template: str | tuple[str, ...], context: dict[str, Any], **more: Any) -> SafeString:
    return render_to_string(template, context | more)


# -- notices -----------------------------------------------------------------------------------------


def notices_json(user: Any) -> list[dict[str, Any]]:
    """A person's unread notices, newest first, JSON-able."""
    return [
        {
            "token": line.token,
            "match": match.public_id,
            "title": match.title,
            "kind": line.kind,
            "tone": _tone(match, line),
            "text": line.text,
            "at": line.at.isoformat(),
            "url": _place(match, line),
        }
        for match, line in feed.unread_notices(user)
    ]


def notices_html(user: Any) -> str:
    """The bar at the top of every page: the newest notice, and the others folded. Its buttons belong to the page's form
    `notices-form`."""
    items = feed.unread_notices(user)
    notices = [
        {
            "id": line.token,
            "kind": _tone(match, line),
            "text": line.text,
            "title": match.title,
            "at": line.at,
            "href": _place(match, line),
        }
        for match, line in items
    ]
    return render_to_string("matches/parts/notices.html", {"newest": notices[:1], "older": notices[1:]})


def _tone(match: Match, line: feed.FeedLine) -> str:
    return match.rules.tones.get(line.kind, "brass")


def _place(match: Match, line: feed.FeedLine) -> str:
    """The fragment of the page that a notice leads to: the lot that it is about, if any."""
    url = match.get_absolute_url()
    return f"{url}?lot={line.lot}#act" if line.lot else url
