"""The API's endpoints. Everything is made from game views, so a program sees exactly what that person's page shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import RawPostDataException

from matches.api.actions import LARGEST_BODY, Action, count, read_json, rejected, take
from matches.api.bids import bid_json
from matches.api.endpoint import HEADERS, PARAMETERS
from matches.api.query import hash_of, one_of, whole
from matches.api.replies import ApiError, Reply, encode, not_signed_in, reply, too_large, too_many
from matches.api.requests import NO_STORE, endpoint, require_csrf, who
from matches.api.schema import game_json, game_schema
from matches.engine.errors import MALFORMED, Rejected
from matches.games.registry import UnknownGame, all_games, game_of
from matches.infra.rate_limits import wait_to_ask
from matches.models import Match
from matches.queries import lists, match_info
from matches.queries import matches as match_queries
from matches.queries.access import Viewer, access_match
from matches.queries.feed import feed as feed_of
from matches.queries.host_acts import host_act_rows, host_acts
from matches.queries.log import UnknownCursor, open_rows
from matches.queries.matches import Position
from matches.services.deadlines import advance_if_due
from matches.services.group.queue import submit

_MOST = 200
_OFFSET = whole(0, 0, 10**9)
_LIMIT = whole(50, 1, _MOST)
_LOG_LIMIT = whole(_MOST, 1, _MOST)
_CURSOR = hash_of("the hash of a row")
_STATUS = one_of(*(status.value for status in Match.Status if status != Match.Status.DRAFT))


@endpoint("GET", status=_STATUS, game=one_of(*all_games()), offset=_OFFSET, limit=_LIMIT)
def match_list(request: HttpRequest, status: str, game: str, offset: int, limit: int) -> Reply:
    """The public matches, newest first."""
    found = lists.public_matches()
    if status:
        found = found.filter(status=status)
    if game:
        found = found.filter(game=game)
    shown = map(match_info.info_json, found[offset : offset + limit])
    return _page(request, "matches", shown, found.count(), offset + limit)


@endpoint("GET")
def match_detail(request: HttpRequest, public_id: str) -> Reply:
    """One match, as this viewer may see it."""
    viewer = _viewer(request, public_id)
    shown = match_queries.snapshot(Position(viewer.match), viewer.player)
    if viewer.user.is_authenticated:
        return Reply(200, encode(shown), (NO_STORE,))
    etag = _etag({name: value for name, value in shown.items() if name != "now"})
    headers = (("ETag", etag), ("Cache-Control", "no-cache"))
    if etag in request.headers.get("If-None-Match", "").split(", "):
        return Reply(304, b"", headers)
    return Reply(200, encode(shown), headers)


@endpoint("POST", **PARAMETERS)
def act(request: HttpRequest, public_id: str, dry_run: bool) -> Reply:
    """An action of a signed-in person. Requests with a token are handled in `endpoint`, with the same answers."""
    body = _body(request)
    user = who(request, to_act=not dry_run)
    if not user.is_authenticated:
        raise not_signed_in()
    require_csrf(request)
    key = request.headers.get("Idempotency-Key")
    action = Action(public_id, body, [] if key is None else [key], dry_run)
    count(user.pk)
    answer = take(action, user.pk, submit)
    return answer._replace(headers=(*HEADERS, *answer.headers))


@endpoint("POST")
def ask(request: HttpRequest, public_id: str) -> Reply:
    """A what-if, answered from what the asker may see. Nothing is stored, so cookies need no CSRF token."""
    raw, viewer = read_json(_body(request)), _viewer(request, public_id)
    if wait := wait_to_ask(request, viewer.user.pk):
        raise too_many(wait)
    position = Position(viewer.match)
    try:
        answer = viewer.match.rules.ask(raw, position.public, position.private_of(viewer.player))
    except Rejected as rejection:
        return rejected(rejection.code, rejection.message, rejection.field)
    return reply({"accepted": True, "answer": answer})._replace(headers=HEADERS)


def _body(request: HttpRequest) -> bytes:
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and int(length[:12]) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    try:
        body = request.body
    except RequestDataTooBig:
        raise too_large(LARGEST_BODY) from None
    except RawPostDataException:
        raise ApiError(400, "malformed_json", "The body could not be read.") from None
    if len(body) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    return body


@endpoint("GET", limit=_LIMIT)
def feed(request: HttpRequest, public_id: str, limit: int) -> Reply:
    """What everyone was told, and this player; newest first."""
    viewer = _viewer(request, public_id)
    lines = feed_of(viewer.match, viewer.player, limit)
    return _mine(viewer, {"feed": [match_queries.to_json(line) for line in lines]})


@endpoint("GET", offset=_OFFSET, limit=_LIMIT)
def history(request: HttpRequest, public_id: str, offset: int, limit: int) -> Reply:
    """The bids that everyone may see, newest first."""
    viewer = _viewer(request, public_id)
    bids = match_queries.public_bids(viewer.match)
    answer = _page(request, "bids", map(bid_json, bids[offset : offset + limit]), len(bids), offset + limit)
    return answer._replace(headers=_caching(viewer))


@endpoint("GET", offset=_OFFSET, limit=_LIMIT)
def hosts(request: HttpRequest, public_id: str, offset: int, limit: int) -> Reply:
    """What hosts did, newest first."""
    viewer = _viewer(request, public_id)
    rows = host_act_rows(viewer.match)
    shown = map(match_queries.to_json, host_acts(viewer.match, list(rows[offset : offset + limit])))
    answer = _page(request, "acts", shown, rows.count(), offset + limit)
    return answer._replace(headers=_caching(viewer))


@endpoint("GET", cursor=_CURSOR, limit=_LOG_LIMIT)
def log(request: HttpRequest, public_id: str, cursor: str, limit: int) -> Reply:
    """The log of a match that is over, with hashes and salts to check receipts and chain by."""
    viewer = _viewer(request, public_id)
    if not viewer.match.is_over:
        raise ApiError(409, "match_not_finished", "The log is published when the match is over: it holds secrets.")
    try:
        page = open_rows(viewer.match, viewer.player, cursor, limit)
    except UnknownCursor:
        raise ApiError(400, MALFORMED, "cursor: this log has no such row. Follow the addresses in “next”.") from None
    following = f"{request.path}?{urlencode({'limit': limit, 'cursor': page.cursor})}" if page.cursor else None
    return _mine(viewer, {"rows": page.rows, "head": viewer.match.log_head, "next": following})


@endpoint("GET")
def game_list(request: HttpRequest) -> Reply:
    """The match types."""
    return reply({"games": [game_json(game) for game in all_games().values()]})


@endpoint("GET")
def schema(request: HttpRequest, slug: str) -> Reply:
    """A match type's settings, and a JSON Schema of its actions."""
    try:
        return reply(game_schema(game_of(slug)))
    except UnknownGame as error:
        raise ApiError(404, "unknown_game", f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


@endpoint("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
def nothing_here(request: HttpRequest) -> Reply:
    """Any other address below /api/."""
    raise ApiError(404, "not_found", "There is nothing at this address. Addresses end with a slash; see /api/v1/.")


@endpoint("GET")
def index(request: HttpRequest) -> Reply:
    """What there is."""
    matches = "/api/v1/matches/"
    shown = {
        "matches": matches,
        "match": f"{matches}<id>/",
        "feed": f"{matches}<id>/feed/",
        "history": f"{matches}<id>/history/",
        "hosts": f"{matches}<id>/hosts/",
        "log": f"{matches}<id>/log/",
        "actions": f"{matches}<id>/actions/",
        "ask": f"{matches}<id>/ask/",
        "games": "/api/v1/games/",
        "schema": "/api/v1/games/<slug>/schema/",
        "sockets": ["/ws/matches/<id>/?format=json", "/ws/me/?format=json"],
    }
    return reply(shown)


# -- what several of them need ---------------------------------------------------------------------


def _viewer(request: HttpRequest, public_id: str) -> Viewer:
    """The match as this person sees it, brought up to now."""
    viewer = access_match(public_id, who(request))
    if advance_if_due(viewer.match):
        viewer = access_match(public_id, viewer.user)
    return viewer


def _caching(viewer: Viewer) -> tuple[tuple[str, str], ...]:
    return (NO_STORE,) if viewer.user.is_authenticated else ()


def _mine(viewer: Viewer, value: Any) -> Reply:
    return Reply(200, encode(value), _caching(viewer))


def _etag(value: Any) -> str:
    return f'"{hashlib.sha256(encode(value)).hexdigest()[:32]}"'


def _page(request: HttpRequest, name: str, shown: Iterable[Any], count: int, end: int) -> Reply:
    """Some of `count` things; `end` is how many there are up to the last of them."""
    query = urlencode({**request.GET.dict(), "offset": end})
    return reply({name: list(shown), "count": count, "next": f"{request.path}?{query}" if end < count else None})
