"""Renders views to HTML, in parts. The same templates make the first page and every push after it.

A part is the content of the element `part-<name>` on the match page. Public parts are the same bytes for everybody;
the page, which knows the viewer (`data-me`), marks what is the viewer's own. No part contains a CSRF token: fields name
their form, and the forms are outside the parts.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from matches.engine.actions import DECISIONS
from matches.models import Match, Player
from matches.pages.context import MatchContext, people_of
from matches.pages.form_state import FormState
from matches.pages.game_templates import template_of
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


_lately: dict[int, tuple[object, Parts]] = {}
_MOST_LATELY = 64  # matches


def public_parts(position: Position, now: datetime) -> Parts:
    """What everybody sees.

    The player who bids by a form gets these parts, and a moment later everybody does. Within one second, if nothing has
    happened in the match, they are rendered only once.
    """
    match = position.match
    prefetch_related_objects([match], "players")
    shown = MatchContext(position, now)
    key = (match.public_version, match.log_count, shown.info, shown.people.key, now.replace(microsecond=0))
    known, parts = _lately.get(match.pk, (None, {}))
    if known != key:
        lines = feed.feed(match, None, _FEED_LINES)
        parts = table_parts(position, shown)
        parts["feed"] = _render("matches/parts/feed.html", shown.context(), lines=lines)
        if len(_lately) >= _MOST_LATELY:
            _lately.clear()
        _lately[match.pk] = key, parts
    return dict(parts)


def table_parts(position: Position, shown: MatchContext) -> Parts:
    """The public parts that depend on the position alone: all but the feed."""
    match, context = position.match, shown.context()
    return {
        "status": _render("matches/parts/status.html", context, game_part=_of_game(match, "status")),
        "board": _board(position, context),
        "more": _more(position, context),
        "decisions": "" if shown.info.status == "cancelled" else _render("matches/parts/decisions.html", context),
        "players": _render(
            "matches/parts/players.html", context, standings=_standings(position), priorities=_priorities(position)
        ),
    }


def _board(position: Position, context: dict[str, Any]) -> str:
    if position.public is None:
        return _render("matches/parts/coming.html", context)
    return _render(_of_game(position.match, "board"), context)


def _more(position: Position, context: dict[str, Any]) -> str:
    """What is shown below the board, and on a phone below the player's own things."""
    if position.public is None:
        return ""
    html = render_to_string(_of_game(position.match, "more"), context)
    return SafeString(html.strip())  # so that the style sheet can recognise an empty part


def _standings(position: Position) -> dict[str, tuple[str, ...]]:
    """Handle -> public words about the player: winner, candidate."""
    view = position.public
    words: dict[str, tuple[str, ...]] = {}
    for handle in view.winners if view else ():
        words[handle] = ("winner",)
    for handle in view.candidates if view else ():
        words[handle] = (*words.get(handle, ()), "candidate")
    return words


def _priorities(position: Position) -> dict[str, int]:
    """Handle -> priority; empty if nobody has any, because then it decides nothing."""
    lines = position.public.players if position.public else ()
    held = {line.handle: line.priority for line in lines}
    return held if any(held.values()) else {}


def private_parts(
    position: Position, player: Player, now: datetime, *, form_state: FormState | None = None, chosen: str = ""
) -> Parts:
    """What one player sees besides. `form_state`: a form that was sent and refused; `chosen`: a lot for which the page
    was opened."""
    match = position.match
    prefetch_related_objects([match], "players")
    own = position.private_of(player)
    me = people_of(match).get(player.handle)
    context = MatchContext(position, now).context() | {
        "own": own,
        "me": me,
        "form_state": form_state or FormState(),
        "chosen": chosen,
    }
    lines = feed.private_lines(match, player, _PRIVATE_LINES)
    parts = dict.fromkeys(PRIVATE_PARTS, "")
    parts["private_feed"] = _render("matches/parts/private_feed.html", context, lines=lines)
    if own is None:
        return parts
    context["asks"] = [ask for ask in own.asked if ask.kind in DECISIONS]
    parts["asked"] = _render("matches/parts/asked.html", context)
    parts["panel"] = _render(_of_game(match, "panel"), context) + _blood_garnets(match, player, context)
    parts["act"] = _render("matches/parts/act.html", context, game_part=_of_game(match, "act"))
    return parts


def _blood_garnets(match: Match, player: Player, context: dict[str, Any]) -> SafeString:
    """The player's blood garnets, which the rules do not know; empty for players who never had any."""
    held = match_queries.blood_garnets(player)
    if held is None:
        return SafeString("")
    more = {"held": held, "grow": match.blood_garnets, "next_growth": match.blood_grows_at}
    return _render("matches/parts/blood_garnets.html", context, **more)


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
