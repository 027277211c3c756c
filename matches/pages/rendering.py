"""Renders views to HTML, in parts. The same templates make the first page and every later push.

A part is the content of the element `part-<name>` on the match page. Public parts are the same bytes for everybody; the
page, which knows the viewer (`data-me`), marks the viewer's own things. No part contains a CSRF token: fields name
their form, and the forms are outside the parts.
"""

from collections.abc import Callable, Hashable
from datetime import datetime, timedelta
from typing import Any, cast
from weakref import WeakKeyDictionary

from django.db.models import prefetch_related_objects
from django.template import Context
from django.template.loader import get_template, select_template
from django.utils.safestring import SafeString

from matches.engine.actions import DECISIONS
from matches.infra.local_cache import LocalCache
from matches.models import Match, Player
from matches.pages.context import MatchContext, people_of
from matches.pages.extensions import gift_words_offered, given_words
from matches.pages.forms import FormState
from matches.pages.fragments import template_of
from matches.queries import announcements, feed
from matches.queries import matches as match_queries
from matches.queries.access import players_with_accounts
from matches.queries.matches import Position
from matches.services.absences import ready

Parts = dict[str, str]

PUBLIC_PARTS = ("status", "said", "board", "more", "decisions", "players", "feed")
PRIVATE_PARTS = ("purse", "asked", "panel", "act", "private_feed", "questions")

_FEED_LINES = 6  # pushed with every bid; more lines are on a page of their own
_PRIVATE_LINES = 4
_TICK = 5  # seconds


def position_of(match: Match) -> Position:
    """Return the position of a match; its players are loaded once for everything that shows them."""
    prefetch_related_objects([match], players_with_accounts())
    return Position(match)


class _Look:
    """A position at one moment, with the template context that everybody's and each player's parts share."""

    def __init__(self, position: Position, now: datetime) -> None:
        prefetch_related_objects([position.match], players_with_accounts())
        self.now = now
        self.people = people_of(position.match)
        # Remaining times are those of a few seconds ago, rounded, so that they alone do not make a part differ;
        # browsers count on from there.
        said_at = now - timedelta(seconds=now.timestamp() % _TICK)
        self.context = MatchContext(position, now, self.people).context() | {"now": said_at}
        self.place = (position.match.public_id, position.match.game)
        """Identifies the match in cache keys; database ids may be used again."""


_looks: WeakKeyDictionary[Position, _Look] = WeakKeyDictionary()
_read: LocalCache[Hashable, tuple[object, Any]] = LocalCache(4096)
_shown: LocalCache[Hashable, tuple[str, Parts]] = LocalCache(4096)


def _look(position: Position, now: datetime) -> _Look:
    look = _looks.get(position)
    if look is None or look.now != now:
        look = _looks[position] = _Look(position, now)
    return look


def _once(key: Hashable, version: object, read: Callable[[], Any]) -> Any:
    """The value read for this version; reads again if the version differs."""
    known, value = _read.get(key, (None, None))
    if known != version:
        value = read()
        _read.keep(key, (version, value))
    return value


def _remember(place: Hashable, versions: str, parts: Parts) -> None:
    _shown.keep(place, (versions, dict(parts)))  # a copy: the caller may add other parts to theirs


def shown_as_of(match: Match, player: Player, versions: str) -> Parts:
    """Return the parts that a player sees at these versions (`"<public> <own>"`), as far as this process has rendered
    them and nothing newer since."""
    place = (match.public_id, match.game)
    found: Parts = {}
    for whose, seen in ((place, versions.partition(" ")[0]), ((place, player.pk, player.user_id), versions)):
        known, parts = _shown.get(whose, ("", {}))
        if known == seen:
            found |= parts
    return found


def public_parts(position: Position, now: datetime) -> Parts:
    """Render the parts that everybody sees."""
    look, match = _look(position, now), position.match
    context = look.context
    parts = {name: render(match, context | _beside(name, position)) for name, render in _TABLE.items()}
    said = _once((look.place, "notes"), match.announcements_version, lambda: announcements.notes_of(match))
    latest = max((note.now for note in said), key=lambda version: version.at, default=None)
    parts["said"] = _render("matches/parts/said.html", context, latest=latest)
    told = _once((look.place, "feed"), (match.log_count, look.people.key), lambda: feed.feed(match, None, _FEED_LINES))
    parts["feed"] = _render_linked("matches/parts/feed.html", context, lines=told)
    _remember(look.place, str(match.public_version), parts)
    return parts


def _beside(name: str, position: Position) -> dict[str, object]:
    """What other apps add to a part."""
    if name == "board" and position.public is None:
        return {"ready": ready(position.match)}
    if name != "decisions" or not _has_gifts(position):
        return {}
    return {"gift_words": given_words(position.match)}


def _has_gifts(position: Position) -> bool:
    decisions = position.public.decisions if position.public is not None else None
    return decisions is not None and any(gift.to for gift in decisions.gifts)


def table_parts(position: Position, shown: MatchContext) -> Parts:
    """Render the public parts that depend on the position alone: all except the hosts' words and the feed."""
    context = shown.context()
    return {name: render(position.match, context) for name, render in _TABLE.items()}


def own_parts(
    position: Position, shown: MatchContext, player: Player, form_state: FormState | None = None, chosen: str = ""
) -> Parts:
    """Render those of a player's own parts that depend on the position alone. Without words for gifts."""
    match = position.match
    context = shown.context() | {"own": position.private_of(player), "me": shown.people.get(player.handle)}
    sent = {"form_state": form_state or FormState(), "chosen": chosen}
    return {
        "asked": _asked(match, context),
        "purse": _purse(match, context),
        "panel": _panel(match, context),
        "act": _act(match, context | sent, may_say=False),
    }


def panel_of(position: Position, shown: MatchContext, player: Player) -> str:
    """Render a player's purse and panel, which depend on the position alone."""
    context = shown.context() | {"own": position.private_of(player), "me": shown.people.get(player.handle)}
    return SafeString(_purse(position.match, context) + _panel(position.match, context))


def _status(match: Match, context: dict[str, Any]) -> str:
    part = match.part_of_play(context["view"])
    return _render("matches/parts/status.html", context, game_part=_of_game(match, "status"), part=part)


def _board(match: Match, context: dict[str, Any]) -> str:
    return _render("matches/parts/coming.html" if context["view"] is None else _of_game(match, "board"), context)


def _more(match: Match, context: dict[str, Any]) -> str:
    """What belongs to the board but is shown below it; on a phone also below the player's own things."""
    if context["view"] is None:
        return ""
    html = _render(_of_game(match, "more"), context)
    return SafeString(html.strip())  # lets the style sheet recognise an empty part


def _decisions(match: Match, context: dict[str, Any]) -> str:
    return "" if context["match"].status == "cancelled" else _render_linked("matches/parts/decisions.html", context)


def _players(match: Match, context: dict[str, Any]) -> str:
    view = context["view"]
    priorities = _priorities(view) if match.rules.uses_priority else {}
    return _render_linked("matches/parts/players.html", context, standings=_standings(view), priorities=priorities)


_TABLE: dict[str, Callable[[Match, dict[str, Any]], str]] = {
    "status": _status,
    "board": _board,
    "more": _more,
    "decisions": _decisions,
    "players": _players,
}


def _standings(view: Any) -> dict[str, tuple[str, ...]]:
    """Handle -> what is publicly known about them: winner, candidate."""
    words: dict[str, tuple[str, ...]] = {}
    for handle in view.winners if view else ():
        words[handle] = ("winner",)
    for handle in view.candidates if view else ():
        words[handle] = (*words.get(handle, ()), "candidate")
    return words


def _priorities(view: Any) -> dict[str, int]:
    """Handle -> priority; empty if nobody has any, since then it decides nothing."""
    held = {line.handle: line.priority for line in (view.players if view else ())}
    return held if any(held.values()) else {}


def _place_of(look: _Look, player: Player) -> tuple[Hashable, ...]:
    """Identifies the player in cache keys."""
    return (look.place, player.pk, player.user_id)


def _version(look: _Look, player: Player) -> object:
    """Changes whenever anything changes that is read for this player."""
    return (player.version, look.people.key)


def private_parts(
    position: Position,
    player: Player,
    now: datetime,
    *,
    form_state: FormState | None = None,
    chosen: str = "",
) -> Parts:
    """Render the parts that one player sees in addition. `form_state`: a form that was sent and refused; `chosen`: the
    lot that the page was opened for."""
    look, match = _look(position, now), position.match
    own, me, place = position.private_of(player), look.people.get(player.handle), _place_of(look, player)
    context = look.context | {"own": own}
    parts = dict.fromkeys(PRIVATE_PARTS, "")

    def read() -> tuple[str, Any]:
        lines = feed.private_lines(match, player, _PRIVATE_LINES)
        told = _render_linked("matches/parts/private_feed.html", look.context, lines=lines)
        return told, match_queries.blood_garnets(player)

    parts["private_feed"], held = _once(place, _version(look, player), read)
    questions = _once(
        (place, "questions"), match.announcements_version, lambda: announcements.own_questions(match, player)
    )
    parts["questions"] = _render("matches/parts/questions.html", context, questions=questions)
    if own is None:
        return parts
    context["me"] = me
    parts["asked"] = _asked(match, context)
    parts["purse"] = _purse(match, context)
    parts["panel"] = _panel(match, context)
    if held is not None:
        money = {"held": held, "grow": match.blood_garnets, "next_growth": match.blood_grows_at}
        parts["panel"] = SafeString(parts["panel"] + _render("matches/parts/blood_garnets.html", context, **money))
    # A refused form and a chosen lot belong to one request, so parts with them are not cached.
    parts["act"] = _act(match, context | {"form_state": form_state or FormState(), "chosen": chosen})
    if not (form_state or chosen):
        _remember(place, f"{match.public_version} {player.version}", parts)
    return parts


def _asked(match: Match, context: dict[str, Any]) -> SafeString:
    return _render("matches/parts/asked.html", context, holds=_holds(match, context))


def _holds(match: Match, context: dict[str, Any]) -> SafeString:
    """What the player has sealed, in a few words; empty if nothing."""
    return SafeString(_render(_of_game(match, "holds"), context).strip())


def _purse(match: Match, context: dict[str, Any]) -> SafeString:
    return _render("matches/parts/purse.html", context, game_part=_of_game(match, "purse"))


def _panel(match: Match, context: dict[str, Any]) -> str:
    return _render(_of_game(match, "panel"), context)


def _act(match: Match, context: dict[str, Any], *, may_say: bool = True) -> str:
    asks = [ask for ask in context["own"].asked if ask.kind in DECISIONS]
    has_words = may_say and any(ask.kind == "give_tokens" for ask in asks) and gift_words_offered(match)
    more = {"asks": asks, "has_words": has_words, "part": match.part_of_play(context["view"])}
    more["holds"] = _holds(match, context)
    return _render("matches/parts/act.html", context, game_part=_of_game(match, "act"), **more)


def summary(position: Position, now: datetime) -> str:
    """Return a match in a few lines of HTML, for lists."""
    if position.public is None:
        return ""
    return _render_linked(_of_game(position.match, "summary"), MatchContext(position, now).context())


def _of_game(match: Match, part: str) -> tuple[str, ...]:
    return template_of(match.game, part)


def _render_linked(template: str | tuple[str, ...], context: dict[str, Any], **more: Any) -> SafeString:
    """Render with names that are links to profiles."""
    return _render(template, context, people=context["people"].linked, **more)


def _render(template: str | tuple[str, ...], context: dict[str, Any], **more: Any) -> SafeString:
    found: Any = get_template(template) if isinstance(template, str) else select_template(template)
    # Without localization: Django would look up the reader's language for each number, and there is only one.
    return cast("SafeString", found.template.render(Context(context | more, use_l10n=False)))
