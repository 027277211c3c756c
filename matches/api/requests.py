"""Reads API requests (parameters, sender) and turns views into endpoints that answer every failure as JSON."""

import functools
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.views.decorators.csrf import csrf_exempt

from accounts.cookies import CSRF_FAILED
from accounts.models import ApiToken
from matches.api.replies import ApiError, Reply, need_act, not_signed_in, reply_to
from matches.engine.errors import MALFORMED, printable
from matches.models import Match
from matches.queries.access import Illegible, is_legible
from matches.queries.paging import UnknownPlace

# -- query -----------------------------------------------------------------------------------------------
# Reads query parameters; unknown parameters and wrong values are `malformed`.
# An unknown parameter may be a misspelt one that matters: a misspelt `dry_run` must not become a real bid.

_MOST_PARAMETERS = 20


class Parameter(NamedTuple):
    """A parameter: its default, what it takes in words, a function that reads its text (and raises `ValueError` or
    `KeyError` for text that it does not take), and a JSON Schema."""

    default: Any
    expected: str
    read: Callable[[str], Any]
    schema: Mapping[str, Any] = {"type": "string"}


def whole(default: int, least: int, most: int) -> Parameter:
    """Return a parameter that takes a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 11 and least <= int(text) <= most):
            raise ValueError(text)
        return int(text)

    schema = {"type": "integer", "minimum": least, "maximum": most, "default": default}
    return Parameter(default, f"a whole number from {least} to {most}", read, schema)


def one_of(*words: str) -> Parameter:
    """Return a parameter that takes one of some words; empty by default."""
    schema = {"type": "string", "enum": list(words)}
    return Parameter("", f"one of {', '.join(words)}", {word: word for word in words}.__getitem__, schema)


def matching(pattern: str, expected: str) -> Parameter:
    """Return a parameter that takes a text matching a pattern; empty by default."""

    def read(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(text)
        return text

    return Parameter("", expected, read, {"type": "string", "pattern": f"^{pattern}$"})


ROW = matching("[0-9a-f]{64}", "the hash of a row, 64 hex digits")
"""A SHA-256 in hex; empty by default."""

PAST = whole(0, 0, 10**9)
"""How many lines to skip, for lists whose lines have no names of their own."""

FLAG = Parameter(False, "1 or 0", {"1": True, "0": False}.__getitem__, {"type": "string", "enum": ["1", "0"]})


def read_query(query: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Return the value of every parameter, given a URL's query string.

    Raises `ApiError` (400, `malformed`) for a parameter that is unknown, given twice, or has a wrong value.
    """
    try:
        given = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS) if query else []
    except ValueError:
        raise ApiError(400, MALFORMED, f"There are more than {_MOST_PARAMETERS} parameters.") from None
    values = {name: parameter.default for name, parameter in parameters.items()}
    seen = set()
    for name, text in given:
        if name not in parameters:
            raise ApiError(400, MALFORMED, f"{printable(name, 40)}: unknown. {_known(parameters)}")
        if name in seen:
            raise ApiError(400, MALFORMED, f"{name}: given twice.")
        seen.add(name)
        try:
            values[name] = parameters[name].read(text)
        except (ValueError, KeyError):
            raise ApiError(400, MALFORMED, f"{name}: expected {parameters[name].expected}.") from None
    return values


def _known(parameters: Mapping[str, Parameter]) -> str:
    if not parameters:
        return "This address takes no parameters."
    return f"The parameters of this address are {', '.join(sorted(parameters))}."


# -- requests --------------------------------------------------------------------------------------------
# Helpers for API views: who sends the request, which methods are allowed, JSON for every failure.

View = Callable[..., Reply]


def endpoint(**about: Any) -> Callable[[View], Callable[..., HttpResponse]]:
    """Decorate a view that returns a `Reply`; whatever it raises becomes one, too.

    `about` has the methods that the view takes, each with its description (`About`, or None for nothing), and the query
    parameters. The view gets each parameter's value by name; other parameters are refused. GET implies HEAD and, if it
    is public, OPTIONS: browsers send that before a page of another site may make anything but a simple request. A view
    that changes something calls `require_csrf`, because cookies alone must not change anything.
    """
    methods = {name: what for name, what in about.items() if name.isupper()}
    parameters = {name: what for name, what in about.items() if not name.isupper()}
    allowed = (*methods, "HEAD") if "GET" in methods else tuple(methods)
    is_public = "GET" in methods and "OPTIONS" not in methods and not getattr(methods["GET"], "needs", "")

    def decorate(view: View) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @functools.wraps(view)
        def wrapper(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                if request.method == "OPTIONS" and is_public:
                    return HttpResponse(status=204, headers={"Allow": ", ".join(allowed), **_PREFLIGHT})
                if request.method not in allowed:
                    message = f"This address takes only {' and '.join(methods)}."
                    raise ApiError(405, "method_not_allowed", message, Allow=", ".join(allowed))
                query = read_query(request.META.get("QUERY_STRING", ""), parameters)
                answer = view(request, **kwargs, **query)
            except Exception as error:
                answer = reply_to(error)
                if answer.status == 500 and "public_id" in kwargs:
                    answer = _unless_illegible(answer, kwargs["public_id"])
            return _for_request(request, respond(answer))

        wrapper.described = methods  # type: ignore[attr-defined]
        wrapper.parameters = parameters  # type: ignore[attr-defined]
        return wrapper

    return decorate


def _unless_illegible(answer: Reply, public_id: str) -> Reply:
    """The reply to an unexpected failure: a clearer one if the match cannot be shown at all."""
    match = Match.objects.filter(public_id=public_id).first()
    return reply_to(Illegible()) if match is not None and not is_legible(match) else answer


def etag_of(body: bytes) -> str:
    """Return the ETag of a body."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def unless_known(request: HttpRequest, etag: str, body: bytes, *headers: tuple[str, str]) -> Reply:
    """Return the body, or 304 for a client that has it already."""
    # Compressing a body makes its ETag weak.
    known = {each.removeprefix("W/") for each in parse_etags(request.headers.get("If-None-Match", ""))}
    is_known = bool(known & {etag, "*"})
    return Reply(304 if is_known else 200, b"" if is_known else body, (("ETag", etag), *headers))


def respond(answer: Reply) -> HttpResponse:
    """Return a reply as a Django response."""
    response = HttpResponse(answer.body, status=answer.status, content_type=answer.content_type)
    response["Cache-Control"] = "no-store, private" if answer.status >= 400 else "no-cache"
    for name, value in answer.headers:
        response[name] = value
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return response


_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_SHOWN_ELSEWHERE = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"


def _for_request(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add what depends on the request: pages of other sites may read public answers, and counted clients learn how many
    requests they have left."""
    if request.method in ("GET", "HEAD") and not request.headers.keys() & {"Authorization", "Cookie"}:
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = _SHOWN_ELSEWHERE
    if rates := getattr(request, "rates", None):
        name, buckets, key = rates
        for header, value in buckets.headers(name, key):
            response[header] = value
    return response


@contextmanager
def placed(why: str, code: str = MALFORMED) -> Iterator[None]:
    """In this block a list is read from the place that the URL names; `why`: the message if there is no such place."""
    try:
        yield
    except UnknownPlace:
        raise ApiError(400, code, why) from None


def next_page(request: HttpRequest, **place: Any) -> str | None:
    """Return the URL of the next page, which begins at this place; None if the place is empty, at the end."""
    return f"{request.path}?{urlencode({**request.GET.dict(), **place})}" if all(place.values()) else None


def who(request: HttpRequest, match: str = "", *, to_act: bool = False) -> Any:
    """Return the user who asks: by token if there is one, otherwise by session; anonymous without either.

    `match` is the id of the match that the request is about, if any: a token may be limited to one. Raises for a token
    that is invalid or not valid for this, rather than answer as if there were none.
    """
    token = token_of(request)
    if token is None:
        return request.user
    token.need_for(match)
    if to_act:
        need_act(token)
    return token.user


def signed_in(request: HttpRequest, match: str = "", *, to_act: bool = False) -> Any:
    """Return the signed-in user who asks. Raises `ApiError` for visitors, and whatever `who` raises."""
    user = who(request, match, to_act=to_act)
    if not user.is_authenticated:
        raise not_signed_in()
    return user


def token_of(request: HttpRequest) -> ApiToken | None:
    """Return the token of a request, if any, and note its use. Raises `TokenRefused`."""
    authorization = request.headers.get("Authorization")
    if authorization is None:
        return None
    token = ApiToken.of_header(authorization)
    token.touch()
    return token


class _Check(CsrfViewMiddleware):
    """Returns the reason instead of a page, and leaves logging to whoever answers."""

    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def _changes_something(request: HttpRequest) -> HttpResponse:
    """Stands for a view that is not exempt from CSRF checks."""
    return HttpResponse()


_check = _Check(_changes_something)


def require_csrf(request: HttpRequest) -> None:
    """Raise `ApiError` for a request that another site may have made a browser send."""
    if "Authorization" in request.headers:
        return  # no browser adds a token by itself
    _check.process_request(request)
    if _check.process_view(request, _changes_something, (), {}) is not None:
        raise ApiError(403, "csrf_failed", CSRF_FAILED)
