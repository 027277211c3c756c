"""The API of seasons: bodies and endpoints. `endpoint` turns exceptions into the usual answers."""

from collections.abc import Callable
from typing import Any, Literal

from django.http import HttpRequest
from msgspec import Struct

from matches.api import codes
from matches.api.actions import read_body, sent
from matches.api.codes import About, Codes
from matches.api.replies import ApiError, Reply, for_asker, known_as, refusal, reply
from matches.api.requests import PAST, endpoint, matching, next_page, placed, who, whole
from matches.api.shapes import Accepted, Next
from matches.engine.strict_json import canonical
from matches.infra.structs import filled
from matches.models import clock
from matches.queries.log import NotYet
from matches.queries.match_info import Fingerprint, Hash, Instant, UsualHour
from matches.services.errors import CommandRefused
from matches.services.refusal_quota import TooOften
from seasons.engine.commands import LEAST_GIFT
from seasons.engine.verification import Exported
from seasons.models import Member, Season
from seasons.queries import export as exports
from seasons.queries import standing
from seasons.queries.access import SeasonHidden, Viewer, access_season, note_look
from seasons.queries.export import Entry, statement
from seasons.queries.news import News, news_for
from seasons.queries.standing import CastMember, SeasonMatch
from seasons.services import running
from seasons.services.running import advance_if_due


class SeasonHead(Struct, kw_only=True):
    """The fields that a season has both in lists and in its own view."""

    id: str
    title: str
    url: str
    status: Literal["draft", "running", "ended"]
    started_at: Instant | None
    ended_at: Instant | None
    seed_hash: str
    seed: Hash | None


class SeasonLine(SeasonHead, kw_only=True):
    """A season in a list."""

    members: int
    still_in: int
    winners: list[str]


class SeasonList(Struct):
    """Seasons, the newest first."""

    seasons: list[SeasonLine]
    next: Next


class SeasonView(SeasonHead, kw_only=True):
    """What everybody may know about a season. `fingerprint`: of its log at the last public news. `me`: your handle."""

    description: str
    usual_hour: UsualHour | None
    settings: dict[str, Any]
    hosts: list[str]
    phase: str
    candidates: tuple[str, ...]
    between: tuple[str, ...]
    opponents: tuple[str, ...]
    opponent_until: Instant | None
    cast: list[CastMember]
    matches: list[SeasonMatch]
    fingerprint: Fingerprint | None
    me: str | None
    now: Instant


class SeasonFeed(Struct):
    """News, the latest first."""

    feed: list[News]
    next: Next


class Ledger(Struct):
    """A member's account, oldest entries first."""

    handle: str
    entries: list[Entry]
    next: Next


class Opponent(Struct, forbid_unknown_fields=True):
    """The handle of the opponent."""

    opponent: str


class Gift(Struct, forbid_unknown_fields=True):
    """A gift of garnets: the handle of another member, and how many."""

    to: str
    amount: int


HIDDEN: Codes = {404: {"unknown_season": SeasonHidden.message}}
NO_SUCH_SEASON = "after: there is no such season."
UNKNOWN_PLACE: Codes = {400: {"unknown_place": NO_SUCH_SEASON}}
NOT_YOURS: Codes = {403: {"not_yours": "These are not your balances. Until the end, only hosts can read all balances."}}
NOT_ENDED: Codes = {409: {"not_ended": "The site publishes this when the season ends."}}

_REFUSED: Codes = {
    403: {"not_a_host": "Only hosts of the season can do this.", "only_observes": "You are observing this season."},
    422: {
        "malformed": "There is no such command, or it has wrong fields.",
        "wrong_phase": "The season is not in a phase that allows this.",
        "not_in_cast": "There is no such member.",
        "not_in": "That member is out or has withdrawn.",
        "not_eligible": "You cannot choose that member.",
        "not_your_decision": "Somebody else names the opponent.",
        "not_enough": "The member does not have enough for that.",
        "not_positive": LEAST_GIFT,
        "already_playing": "That member plays in a match that is not settled.",
        "already_done": "You have already done that.",
        "command_refused": "You cannot do this now.",
    },
}
COMMANDING = codes.together(codes.CHANGING, codes.WITH_A_KEY, HIDDEN, _REFUSED)


# -- one season ----------------------------------------------------------------------------------------------

_LIMIT = whole(50, 1, 200)


_HANDLE = matching(r"[\w.-]{1,40}", "the handle of a member")


def _viewer(request: HttpRequest, public_id: str) -> Viewer:
    return _seen_by(who(request), public_id)


def _seen_by(user: Any, public_id: str) -> Viewer:
    """Return the season as this person sees it, after passing due deadlines. Raises `ApiError` if they may not."""
    try:
        viewer = access_season(public_id, user)
    except SeasonHidden as hidden:
        raise ApiError(404, "unknown_season", hidden.message) from None
    advance_if_due(viewer.season)
    return viewer


def _head(season: Season) -> dict[str, Any]:
    """The fields of `SeasonHead` that differ from the model's."""
    seed = season.seed if season.is_over else None
    return {"id": season.public_id, "url": season.get_absolute_url(), "seed": seed}


@endpoint(GET=About("What everybody may know about a season", SeasonView, codes=HIDDEN))
def season(request: HttpRequest, public_id: str) -> Reply:
    """What everybody may know about a season: settings, standings, matches, and what is going on."""
    viewer = _viewer(request, public_id)
    found = viewer.season
    state = found.decoded()
    going = standing.going_on(found, state)
    return for_asker(
        filled(
            SeasonView,
            found,
            **_head(found),
            usual_hour=UsualHour(f"{found.usual_hour:%H:%M}", found.zone) if found.usual_hour else None,
            hosts=standing.hosts_of(found),
            phase=going.phase,
            candidates=going.candidates,
            between=going.between,
            opponents=going.options,
            opponent_until=going.closes,
            cast=known_as(list[CastMember], standing.standings(found, state)),
            matches=known_as(list[SeasonMatch], standing.schedule(found, with_drafts=viewer.sees)),
            fingerprint=exports.latest(found),
            me=viewer.member.handle if viewer.member else None,
            now=clock.now(),
        )
    )


@endpoint(
    GET=About("The news for everybody, and what only you were told", SeasonFeed, codes=HIDDEN),
    after=PAST,
    limit=_LIMIT,
)
def feed(request: HttpRequest, public_id: str, after: int, limit: int) -> Reply:
    """News for everybody, for you if you are a member, and for hosts, the latest first."""
    viewer = _viewer(request, public_id)
    names = dict(viewer.season.cast.values_list("handle", "name"))
    shown = {handle: name or handle for handle, name in names.items()}
    lines = news_for(viewer, shown, limit + 1, after)
    following = next_page(request, after=after + limit if len(lines) > limit else None)
    return for_asker(SeasonFeed(known_as(list[News], lines[:limit]), following))


@endpoint(
    GET=About("A member's balances", Ledger, codes=codes.together(HIDDEN, NOT_YOURS)),
    of=_HANDLE,
    after=PAST,
    limit=whole(200, 1, 200),
)
def ledger(request: HttpRequest, public_id: str, of: str, after: int, limit: int) -> Reply:
    """A member's balances, entry by entry: yours, or (`?of=handle`) anybody's if you host or the season has ended."""
    viewer = _viewer(request, public_id)
    handle = of or (viewer.member.handle if viewer.member else "")
    member = Member.objects.filter(season=viewer.season, handle=handle).first() if handle else None
    if member is None or not exports.may_read_ledger(viewer, handle):
        said = "You can read your own balances. Until the season ends, only hosts can read all balances."
        raise ApiError(403, "not_yours", said)
    note_look(viewer)
    lines, end = statement(member).lines, after + limit
    following = next_page(request, after=end if end < len(lines) else None)
    return for_asker(Ledger(handle, known_as(list[Entry], list(lines[after:end])), following))


@endpoint(GET=About("A whole season that has ended", Exported, codes=codes.together(HIDDEN, NOT_ENDED)))
def export(request: HttpRequest, public_id: str) -> Reply:
    """The whole season, once it has ended."""
    viewer = _viewer(request, public_id)
    try:
        return Reply(200, canonical(exports.exported(viewer.season)).encode())
    except NotYet:
        raise ApiError(
            409, "not_ended", "You can export a season once it has ended. Until then its log is private."
        ) from None


def _act(wanted: Callable[[], None]) -> Reply:
    """Do what a member asks for, and turn a refusal into an answer with its code."""
    try:
        wanted()
    except TooOften:
        raise
    except CommandRefused as error:
        return refusal(422, error.code, error.message, field=error.field)
    return for_asker(Accepted(True))


_OPPONENT = "Name the opponent in the Death Match"
_GIFT = "Give another member garnets"


@endpoint(POST=About(_OPPONENT, Accepted, Opponent, codes=COMMANDING, needs="act", has_key=True))
def opponent(request: HttpRequest, public_id: str) -> Reply:
    """The candidate names the opponent in the Death Match."""
    user, body, key = sent(request)
    viewer, wanted = _seen_by(user, public_id), read_body(body, Opponent)
    return _act(lambda: running.name_opponent(viewer.season, user, wanted.opponent, key=key))


_GIVING = codes.together(
    COMMANDING, codes.COUNTED, {429: {"too_often": "You have given garnets as often as you can in 24 hours."}}
)


@endpoint(POST=About(_GIFT, Accepted, Gift, codes=_GIVING, needs="act", has_key=True))
def gift(request: HttpRequest, public_id: str) -> Reply:
    """A member gives another member garnets, if the season allows gifts."""
    user, body, key = sent(request, counts=True)
    viewer, wanted = _seen_by(user, public_id), read_body(body, Gift)
    return _act(lambda: running.give_garnets(viewer.season, user, wanted.to, wanted.amount, key=key))


# -- the list of seasons -------------------------------------------------------------------------------------


@endpoint(
    GET=About("The seasons, newest first", SeasonList, codes=UNKNOWN_PLACE),
    after=matching(r"[\w-]{1,40}", "the id of a season"),
    limit=whole(50, 1, 200),
)
def seasons(request: HttpRequest, after: str, limit: int) -> Reply:
    """Public seasons, the newest first."""
    with placed(NO_SUCH_SEASON, "unknown_place"):
        page = standing.seasons_page(after, limit)
    found = [
        filled(
            SeasonLine,
            line.season,
            **_head(line.season),
            members=line.members,
            still_in=line.still_in,
            winners=[each.name for each in line.winners],
        )
        for line in page.items
    ]
    return reply(SeasonList(found, next_page(request, after=page.last)))
