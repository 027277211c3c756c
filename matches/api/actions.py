"""Carries out an action sent by HTTP, whether with a token or a session cookie, and reads what programs send."""

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest
from django.http.request import RawPostDataException

from accounts.validators import validate_visible
from matches.api.replies import ApiError, Reply, refusal, reply, too_large, too_many
from matches.api.requests import require_csrf, signed_in
from matches.api.shapes import WouldBeDone
from matches.engine.errors import MALFORMED
from matches.engine.sentences import sentence
from matches.engine.strict_json import NotJson, loads
from matches.infra import rate_limits
from matches.models import Match
from matches.queries.access import MatchHidden
from matches.services import actions
from matches.services.actions import Answer
from matches.services.errors import NotAPlayer
from matches.services.group.queue import submit

# -- actions ---------------------------------------------------------------------------------------------
# An action sent by HTTP, from bytes to answer, in the same way for tokens and for session cookies.

LARGEST_BODY = 16 * 1024
_DEEPEST = 20
KEY = re.compile(r"[!-~]{1,100}")
"""An Idempotency-Key."""


def act(public_id: str, user_id: int, raw: Any, key: str, *, dry: bool) -> Reply:
    """Judge and record an action of a person; with `dry` only ask what the rules would say. The caller has checked the
    rate. Raises `MatchHidden` and `Refused`."""
    try:
        match_id = _match_id(public_id)
        return _dry_run(match_id, user_id, raw) if dry else answered(submit(match_id, user_id, raw, key))
    except (NotAPlayer, Match.DoesNotExist) as error:
        raise hidden_or(error) from None


def count(key: Hashable) -> None:
    """Count one request of this person or address. Raises `ApiError` if they send too many."""
    if wait := rate_limits.action_rates().take(key):
        raise too_many(wait)


def limits_of(key: Hashable) -> tuple[tuple[str, str], ...]:
    """Return headers that say how many requests this person or address has left."""
    return rate_limits.action_rates().headers("actions", key)


def count_request(request: HttpRequest, user_id: int | None) -> None:
    """Count one request to a view, whose answer then says how many are left. Raises `ApiError`."""
    key = rate_limits.asker_of(request, user_id)
    request.rates = "actions", rate_limits.action_rates(), key  # type: ignore[attr-defined]
    count(key)


def answered(answer: Answer) -> Reply:
    """Return the reply to an action that was judged."""
    if not answer.accepted:
        return refusal(422, answer.code, answer.message, field=answer.field)
    return reply({"accepted": True, "receipt": answer.receipt, "versions": answer.versions})


def hidden_or(error: Exception) -> Exception:
    """Return the error, or `MatchHidden` if the error would reveal a match that strangers may not see."""
    hidden = isinstance(error, Match.DoesNotExist) or (isinstance(error, NotAPlayer) and error.is_hidden)
    return MatchHidden() if hidden else error


def _dry_run(match_id: int, user_id: int, raw: Any) -> Reply:
    player = actions.find_player(Match.objects.get(pk=match_id), user_id)
    rejection = actions.dry_run(player.match, player, raw)
    if rejection is None:
        return reply(WouldBeDone(True, True))
    return refusal(422, rejection.code, rejection.message, field=rejection.field)


def key_of(keys: Sequence[str]) -> str:
    """Return the one Idempotency-Key, or an empty text. Raises `ApiError`."""
    if not keys:
        return ""
    if len(keys) > 1 or not KEY.fullmatch(keys[0]):
        raise ApiError(400, "bad_key", "Send one Idempotency-Key of 1 to 100 visible ASCII characters.")
    return keys[0]


def read_json(body: bytes) -> Any:
    """Parse a body as JSON. Raises `ApiError`."""
    if len(body) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    try:
        value = loads(body, "the body")
    except NotJson as error:
        raise ApiError(400, "malformed_json", sentence(str(error))) from None
    if _depth(value) > _DEEPEST:
        raise ApiError(400, "malformed_json", f"The body is nested more than {_DEEPEST} levels deep.")
    return value


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return depth


@lru_cache(maxsize=10_000)
def _match_id(public_id: str) -> int:
    """The database id of a match, which never changes. Raises `Match.DoesNotExist`, which is not cached."""
    return Match.objects.values_list("pk", flat=True).get(public_id=public_id)


# -- bodies ----------------------------------------------------------------------------------------------
# Reads what programs send: a body as one of the API's types, a key, a text.


def sent(request: HttpRequest, match: str = "", *, counts: bool = False) -> tuple[Any, bytes, str]:
    """Return who sends something (to a match), the body, and its key. `counts`: whether it counts as one of the
    person's actions. Checks whether they may send it before it reads the body. Raises `ApiError`."""
    body = body_of(request)
    user = signed_in(request, match, to_act=True)
    require_csrf(request)
    if counts:
        count_request(request, user.pk)
    return user, body, one_key(request)


def body_of(request: HttpRequest) -> bytes:
    """Return the body of a POST. Raises `ApiError` if it is too large or cannot be read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and int(length[:12]) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    try:
        body = request.body
    except RequestDataTooBig:
        raise too_large(LARGEST_BODY) from None
    except RawPostDataException:
        raise ApiError(400, "malformed_json", "The site could not read the body.") from None
    if len(body) > LARGEST_BODY:
        raise too_large(LARGEST_BODY)
    return body


def one_key(request: HttpRequest) -> str:
    """Return the request's Idempotency-Key, or an empty text. Raises `ApiError`."""
    key = request.headers.get("Idempotency-Key")
    return key_of([] if key is None else [key])


def read_body(body: bytes, kind: Any) -> Any:
    """Return the body as this type (or one of a union of types). Raises `ApiError`."""
    try:
        return msgspec.convert(read_json(body), kind)
    except msgspec.ValidationError as error:
        said = str(error).replace("`$.", "`").replace(" - at `$`", "")
        raise ApiError(422, MALFORMED, f"The body has a mistake: {said}.") from None


def visible(text: str) -> str:
    """Return a line of text for people, stripped. Raises `ApiError` for anything invisible or several lines."""
    try:
        validate_visible(text.strip())
    except ValidationError as error:
        raise ApiError(422, "text_not_visible", error.messages[0]) from None
    if len(text.splitlines()) > 1:
        raise ApiError(422, "text_not_visible", "Please write one line.")
    return text.strip()
