"""The API's endpoints for matches, made from game views: a program sees exactly what that person's page shows."""

from typing import Any, cast

from django.http import HttpRequest
from msgspec.structs import replace

from matches.api import actions, codes, shapes
from matches.api.actions import body_of, count_request, one_key, read_json
from matches.api.codes import About
from matches.api.endpoint import HEADERS
from matches.api.replies import NO_STORE, ApiError, Reply, encode, for_asker, known_as, refusal, reply
from matches.api.requests import (
    FLAG,
    PAST,
    ROW,
    Parameter,
    endpoint,
    etag_of,
    next_page,
    one_of,
    placed,
    require_csrf,
    signed_in,
    unless_known,
    who,
    whole,
)
from matches.api.schema import game_line, game_schema
from matches.engine.errors import Rejected
from matches.engine.match_time import optional_seconds, seconds
from matches.engine.sentences import sentence
from matches.engine.strict_json import canonical
from matches.games.registry import UnknownGame, all_games, game_of
from matches.infra.structs import filled
from matches.models import Match, Player, clock
from matches.queries import lists, match_info
from matches.queries import matches as match_queries
from matches.queries.access import Viewer, access_match
from matches.queries.feed import FeedLine, feed_page
from matches.queries.host_acts import host_act_rows, host_acts
from matches.queries.log import ExportedMatch, NotYet, exported, open_rows
from matches.queries.matches import Position
from matches.services.deadlines import advance_if_due

_MOST = 200
_LIMIT = whole(50, 1, _MOST)
_LOG_LIMIT = whole(_MOST, 1, _MOST)
_LINE = Parameter("", "the token of a line in this list", str)
_STATUS = one_of(*(status.value for status in Match.Status if status != Match.Status.DRAFT))


@endpoint(
    GET=About("The public matches, newest first", shapes.MatchList),
    status=_STATUS,
    game=one_of(*all_games()),
    after=PAST,
    limit=_LIMIT,
)
def match_list(request: HttpRequest, status: str, game: str, after: int, limit: int) -> Reply:
    """The public matches, newest first."""
    found = lists.public_matches()
    if status:
        found = found.filter(status=status)
    if game:
        found = found.filter(game=game)
    shown = [match_info.info_of(match) for match in found[after : after + limit]]
    return reply(shapes.MatchList(shown, *_rest(request, found.count(), after + limit)))


@endpoint(GET=About("One match, as you may see it", shapes.MatchView, codes=codes.OF_A_MATCH, has_etag=True))
def match_detail(request: HttpRequest, public_id: str) -> Reply:
    """A match as you may see it."""
    viewer = viewer_of_match(request, public_id)
    match, player = viewer.match, viewer.player
    position = Position(match)
    shown = shapes.MatchView(
        match=match_info.info_of(match),
        public=cast(Any, position.public),
        private=cast(Any, match_queries.private_json(position, player)),
        versions=versions_of(match, player),
        now=clock.now(),
    )
    etag = etag_of(encode(replace(shown, now=None)))
    return unless_known(request, etag, encode(shown), *caching(viewer))


@endpoint(
    POST=About(
        "Act in a match, or (with `dry_run=1`) only try",
        (shapes.Done, shapes.WouldBeDone),
        shapes.AnyAction,
        codes=codes.together(codes.SENT_ONCE, codes.OF_AN_ACTION),
        needs="act",
        has_key=True,
    ),
    dry_run=FLAG,
)
def act(request: HttpRequest, public_id: str, dry_run: bool) -> Reply:
    """An action for your player. It counts from the moment it is stored, and the answer has a receipt for that. The
    views show its effects."""
    # Requests with a token are handled in `endpoint`, with the same answers.
    body = body_of(request)
    user = signed_in(request, public_id, to_act=not dry_run)
    require_csrf(request)
    count_request(request, user.pk)
    key, raw = one_key(request), read_json(body)
    answer = actions.act(public_id, user.pk, raw, key, dry=dry_run)
    return answer._replace(headers=(*HEADERS, *answer.headers))


@endpoint(
    POST=About(
        "Ask what would happen. Nothing is stored",
        shapes.Answered,
        shapes.AnyQuestion,
        codes=codes.together(codes.OF_A_MATCH, codes.WITH_A_BODY, codes.COUNTED, codes.OF_A_QUESTION),
    )
)
def ask(request: HttpRequest, public_id: str) -> Reply:
    """A what-if, answered from what the asker may see. Nothing is stored, so cookies need no CSRF token."""
    raw, viewer = read_json(body_of(request)), viewer_of_match(request, public_id)
    count_request(request, viewer.user.pk)
    position = Position(viewer.match)
    try:
        answer = viewer.match.rules.ask(raw, position.public, position.private_of(viewer.player))
    except Rejected as rejection:
        return refusal(422, rejection.code, rejection.message, field=rejection.field)
    return for_asker(shapes.Answered(True, answer))


@endpoint(
    GET=About("What everybody was told, and what you were told", shapes.Feed, codes=codes.OF_A_MATCH),
    after=_LINE,
    limit=_LIMIT,
)
def feed(request: HttpRequest, public_id: str, after: str, limit: int) -> Reply:
    """What everyone and you as a player were told, newest first."""
    viewer = viewer_of_match(request, public_id)
    with placed("after: there is no line with this token here."):
        page = feed_page(viewer.match, viewer.player, after, limit)
    lines = known_as(list[FeedLine], page.items)
    return shown_to(viewer, shapes.Feed(lines, next_page(request, after=page.last)))


@endpoint(
    GET=About("The bids that everybody may see, newest first", shapes.History, codes=codes.OF_A_MATCH),
    after=PAST,
    limit=_LIMIT,
)
def history(request: HttpRequest, public_id: str, after: int, limit: int) -> Reply:
    """All public bids, newest first."""
    viewer = viewer_of_match(request, public_id)
    bids = match_queries.public_bids(viewer.match)
    shown = [
        filled(
            shapes.BidLine,
            bid,
            player=bid.player.handle,
            placed_time=seconds(bid.placed_time),
            settled_time=optional_seconds(bid.settled_time),
        )
        for bid in bids[after : after + limit]
    ]
    return shown_to(viewer, shapes.History(shown, *_rest(request, len(bids), after + limit)))


@endpoint(GET=About("What hosts did, newest first", shapes.HostActs, codes=codes.OF_A_MATCH), after=PAST, limit=_LIMIT)
def hosts(request: HttpRequest, public_id: str, after: int, limit: int) -> Reply:
    """What hosts did, newest first."""
    viewer = viewer_of_match(request, public_id)
    rows = host_act_rows(viewer.match)
    acts = host_acts(viewer.match, list(rows[after : after + limit]))
    return shown_to(viewer, shapes.HostActs(acts, *_rest(request, rows.count(), after + limit)))


@endpoint(
    GET=About(
        "The log of a match that is over", shapes.Log, codes=codes.together(codes.OF_A_MATCH, codes.NOT_FINISHED)
    ),
    after=ROW,
    limit=_LOG_LIMIT,
)
def log(request: HttpRequest, public_id: str, after: str, limit: int) -> Reply:
    """The log of a match that is over, with hashes and salts for checking receipts and the chain."""
    viewer = viewer_of_match(request, public_id)
    if not viewer.match.is_over:
        raise ApiError(409, "match_not_finished", "The site publishes the log after the match: it holds secrets.")
    with placed("after: this log has no such row. Follow the addresses in “next”."):
        page = open_rows(viewer.match, viewer.player, after, limit)
    return shown_to(viewer, shapes.Log(page.items, viewer.match.log_head, next_page(request, after=page.last)))


@endpoint(
    GET=About("A whole match that is over", ExportedMatch, codes=codes.together(codes.OF_A_MATCH, codes.NOT_FINISHED))
)
def export(request: HttpRequest, public_id: str) -> Reply:
    """The whole match as one file, the same for everybody. A script can prove it without this site."""
    viewer = viewer_of_match(request, public_id)
    try:
        found = exported(viewer.match)
    except NotYet:
        message = "You can export a match when it is over: its log holds secrets."
        raise ApiError(409, "match_not_finished", message) from None
    return Reply(200, canonical(found).encode(), caching(viewer))


@endpoint(GET=About("The match types", shapes.Games))
def game_list(request: HttpRequest) -> Reply:
    """All match types."""
    return reply(shapes.Games([game_line(game) for game in all_games().values()]))


@endpoint(
    GET=About(
        "A match type: its settings, actions and what-ifs",
        shapes.GameSchema,
        codes={404: {"unknown_game": "There is no such match type."}},
    )
)
def schema(request: HttpRequest, slug: str) -> Reply:
    """A match type's settings, and a JSON Schema of its actions."""
    try:
        return reply(game_schema(game_of(slug)))
    except UnknownGame as error:
        raise ApiError(404, "unknown_game", sentence(str(error))) from None


@endpoint(**dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")))
def nothing_here(request: HttpRequest) -> Reply:
    """Any other address below /api/."""
    raise ApiError(404, "not_found", "There is nothing at this address. All addresses end with a slash. See /api/v1/.")


# -- what several of them need ---------------------------------------------------------------------


def viewer_of_match(request: HttpRequest, public_id: str) -> Viewer:
    """Return the match as this person sees it, with its due deadlines applied."""
    viewer = access_match(public_id, who(request, public_id))
    if advance_if_due(viewer.match):
        viewer = access_match(public_id, viewer.user)
    return viewer


def caching(viewer: Viewer) -> tuple[tuple[str, str], ...]:
    """Return headers that keep what signed-in people see out of caches."""
    return (NO_STORE,) if viewer.user.is_authenticated else ()


def shown_to(viewer: Viewer, value: Any) -> Reply:
    """Return a reply with a value as this viewer sees it."""
    return reply(value, *caching(viewer))


def versions_of(match: Match, player: Player | None) -> shapes.Versions:
    """Return the versions of the public view and of this player's own view."""
    return shapes.Versions(match.public_version, None if player is None else player.version)


def _rest(request: HttpRequest, count: int, end: int) -> tuple[int, str | None]:
    """The total count, and the URL of those from `end` on."""
    return count, next_page(request, after=end if end < count else None)
