"""Checking who opens a socket and what they may see: the only database read when a socket connects."""

import hashlib
from collections.abc import Mapping
from http.cookies import CookieError
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie

from accounts import second_factor
from accounts.models import ApiToken, TokenRefused
from matches.infra.text import without_nul
from matches.live.snapshots import Format, Key
from matches.pages.desk import looked_after
from matches.queries.access import MatchHidden, RulesNotHere, access_match, sees_who_is_here
from matches.services.deadlines import advance_if_due


class NotAdmitted(Exception):
    """A refused socket. `close` is the WebSocket close code; `code` and `message` are sent before it.

    `is_passing`: the person's rights could not be read now, so this says nothing about them."""

    def __init__(self, close: int, code: str, message: str, *, is_passing: bool = False) -> None:
        super().__init__(message)
        self.close, self.code, self.message, self.is_passing = close, code, message, is_passing


class Admission(NamedTuple):
    """What a socket may see. `number` is the id of the match (or person), `keys` its audiences. `cares_for`: for a
    host's desk the ids of the matches that the person looks after. `waits_as`: if presence is shown to this person,
    their handle, empty for hosts; otherwise None."""

    number: int
    keys: tuple[Key, ...]
    user_id: int | None
    session: str
    is_insider: bool
    cares_for: frozenset[int] = frozenset()
    waits_as: str | None = None


def fingerprint(session_key: str | None) -> str:
    """A hash of a session key or a token's digest, for messages between processes and for memory, where the key itself
    must not be."""
    return hashlib.sha256(session_key.encode()).hexdigest() if session_key else ""


def admit_to_match(headers: Mapping[bytes, bytes], public_id: str, form: Format) -> Admission:
    """Admit a person to a match's board. Raises `NotAdmitted`."""
    user, session = _who(headers, public_id)
    try:
        viewer = access_match(public_id, user)
    except MatchHidden as hidden:
        raise NotAdmitted(4404, "not_found", hidden.message) from None
    except RulesNotHere as problem:
        raise NotAdmitted(4503, problem.code, problem.message) from None
    advance_if_due(viewer.match)
    keys = (Key(form),) if viewer.player is None else (Key(form), Key(form, viewer.player.pk, user.pk))
    waits_as = (viewer.player.handle if viewer.player else "") if sees_who_is_here(viewer) else None
    return Admission(
        viewer.match.pk, keys, user.pk, session, viewer.player is not None or viewer.sees, waits_as=waits_as
    )


def admit_to_notices(headers: Mapping[bytes, bytes], form: Format) -> Admission:
    """Admit a signed-in person to their own notices. Raises `NotAdmitted`."""
    user, session = _who(headers)
    if user.pk is None:
        raise NotAdmitted(4401, "not_signed_in", "Sign in, or send a personal token, to receive your notices.")
    return Admission(user.pk, (Key(form),), user.pk, session, True)


def admit_to_desk(headers: Mapping[bytes, bytes], form: Format) -> Admission:
    """Admit a signed-in person to hints about the matches that they host or observe. Raises `NotAdmitted`."""
    user, session = _who(headers)
    if user.pk is None:
        raise NotAdmitted(4401, "not_signed_in", "Sign in, or send a personal token, to receive news of your matches.")
    matches = frozenset(looked_after(user).values_list("pk", flat=True))
    return Admission(user.pk, (Key("hints"),), user.pk, session, True, matches)


def _who(headers: Mapping[bytes, bytes], match: str = "") -> tuple[Any, str]:
    """The person behind a bearer token (which may be limited to a match) or a session cookie, and the fingerprint
    of the session or token. A session that still lacks the second factor counts as anonymous."""
    authorization = headers.get(b"authorization")
    if authorization is not None:
        try:
            token = ApiToken.of_header(authorization.decode("latin1"))
            token.need_for(match)
        except TokenRefused as refusal:
            raise NotAdmitted(4401, refusal.code, refusal.message) from None
        token.touch()
        return token.user, fingerprint(token.digest)
    key = _cookie(headers, settings.SESSION_COOKIE_NAME)
    if not key:
        return AnonymousUser(), ""
    store = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user: Any = get_user(SimpleNamespace(session=store))  # type: ignore[arg-type]
    if user.is_authenticated and second_factor.owed(user, store):
        return AnonymousUser(), ""
    return user, fingerprint(key)


def _cookie(headers: Mapping[bytes, bytes], name: str) -> str:
    try:
        value = str(parse_cookie(headers.get(b"cookie", b"").decode("latin1")).get(name, ""))
    except CookieError:
        return ""
    return without_nul(value)
