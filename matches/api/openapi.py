"""The description of the API as OpenAPI 3.1, made from the URLs, their parameters and their types."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from matches.api import shapes
from matches.api.actions import KEY, LARGEST_BODY
from matches.api.codes import EVERYWHERE, About, Codes, together
from matches.api.replies import Reply, encode, reply
from matches.api.requests import Parameter, endpoint, etag_of, unless_known
from matches.api.schema import Components, Json
from matches.engine.sentences import sentence
from matches.games.registry import all_games
from matches.services.refusal_quota import QUOTAS

# -- the document ---------------------------------------------------------------------------------------

VERSION = "1"
"""The API's version, which goes up with every change that programs must follow."""

_ARGUMENT = re.compile(r"<(\w+):(\w+)>")
_SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
_SECONDS = {"type": "string", "pattern": "^[0-9]+$"}


class Operation(NamedTuple):
    """One method of one URL. `route` is written as in the URL conf."""

    route: str
    method: str
    about: About
    parameters: dict[str, Parameter]
    view: Callable[..., Any]

    @property
    def path(self) -> str:
        return "/" + _ARGUMENT.sub(r"{\2}", self.route)

    @property
    def tag(self) -> str:
        if "/talk/" in self.route:
            return "talk" if "/matches/" in self.route else "season_talk"
        words = self.route.removeprefix("api/v1/").split("/")
        return words[0] if len(words) > 1 and words[0] != "api" else "about"


def operations() -> Iterator[Operation]:
    """Yield every operation of the API. Raises `AttributeError` for an endpoint that does not describe itself."""
    for route, view in _walk(get_resolver().url_patterns, ""):
        for method, about in view.described.items():
            yield Operation(route, method, about, view.parameters, view)


def _walk(patterns: list[Any], before: str) -> Iterator[tuple[str, Any]]:
    for each in patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver) and (not route or route.startswith("api/")):
            yield from _walk(each.url_patterns, route)
        # Without the last one, which takes all other URLs to answer 404.
        elif isinstance(each.pattern, RoutePattern) and route.startswith("api/"):
            yield route, each.callback


@cache
def document() -> Json:
    """Return the whole description. It is made once and must not be changed."""
    found = list(operations())
    types = [kind for each in found for kind in (*_answers(each.about), each.about.body) if kind is not None]
    components = Components([*types, shapes.Refusal])
    paths: dict[str, Json] = {}
    for each in found:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Genius",
            "version": VERSION,
            "summary": "Auction games for communities, which programs can play too",
            "description": _introduction(),
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in dict.fromkeys(each.tag for each in found)],
        "paths": paths,
        "components": {
            "schemas": components.schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A personal token, made under Profile, API tokens: `read` sees what its owner sees, "
                    "`act` also acts for its owner. It expires on the day shown there.",
                }
            },
        },
    }


def _operation(each: Operation, components: Components) -> Json:
    about = each.about
    shown: Json = {
        "operationId": f"{each.tag}_{each.view.__name__}_{each.method.lower()}",
        "summary": about.summary,
        "description": " ".join((each.view.__doc__ or "").split()),
        "tags": [each.tag],
        "security": [{"token": [about.needs]}] if about.needs else [{}, {"token": ["read"]}],
        "parameters": [*_arguments(each.route), *_query(each.parameters), *_headers(about)],
        "responses": _responses(about, components),
    }
    if about.body is not None:
        schema = components.of(about.body)
        shown["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return shown


def _arguments(route: str) -> Iterator[Json]:
    for kind, name in _ARGUMENT.findall(route):
        schema = {"type": "string"} if kind == "str" else _SLUG
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query(parameters: dict[str, Parameter]) -> Iterator[Json]:
    for name, parameter in parameters.items():
        yield {
            "name": name,
            "in": "query",
            "required": False,
            "description": sentence(parameter.expected),
            "schema": dict(parameter.schema),
        }


def _headers(about: About) -> Iterator[Json]:
    if about.has_key:
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": "Any text you choose. The site acts once on the same key and body and repeats its answer.",
            "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
        }
    if about.has_etag:
        yield {
            "name": "If-None-Match",
            "in": "header",
            "required": False,
            "description": "The ETag you have. The answer is 304 if nothing has changed since.",
            "schema": {"type": "string", "pattern": "^[ -~]*$"},
        }


def _answers(about: About) -> tuple[Any, ...]:
    return about.answer if isinstance(about.answer, tuple) else (about.answer,)


def _responses(about: About, components: Components) -> Json:
    kinds = [components.of(kind) for kind in _answers(about)]
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    good = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    found: Json = {"200": good}
    if about.has_etag:
        found["304"] = {"description": "Nothing has changed since the ETag that you sent."}
    for status, codes in _refusals(about).items():
        found[str(status)] = {
            "description": "\n".join(f"- `{code}`: {meaning}" for code, meaning in codes.items()),
            "content": {
                "application/problem+json": {
                    "schema": {"allOf": [components.of(shapes.Refusal)], "properties": {"code": {"enum": list(codes)}}}
                }
            },
        }
        if status in (429, 503):
            found[str(status)]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": _SECONDS}}
    return dict(sorted(found.items()))


def _refusals(about: About) -> Codes:
    of_rules: Codes = {}
    if about.body in (shapes.AnyAction, shapes.AnyQuestion):
        of_rules = {422: {code: text for game in all_games().values() for code, text in game.refusals.items()}}
    return together(EVERYWHERE, about.codes, of_rules)


def _introduction() -> str:
    limits = ", or ".join(f"{most} within {span.total_seconds() / 3600:g} h" for most, span in QUOTAS)
    return f"""\
Everything is JSON. The page /bots/ explains this API step by step, and what sockets send.

**Tokens.** Anybody can read public matches. A program sends `Authorization: Bearer gen_…`. A token has a scope
(`read` or `act`) and an expiry date. If it is limited to one match, all other addresses refuse it.

**Refusals** all look the same: `accepted` is false, `code` is stable, `message` is for people, `field` names what
to correct.

**Idempotency.** Send an `Idempotency-Key` with everything that changes something. If no answer comes, send the same
request again: the site acts once and repeats its first answer. Where something is created, a used key always returns
what it created first. Elsewhere the site refuses the same key with a different body (409).

**Dry run.** The site judges an action with `?dry_run=1` but does not carry it out. `ask/` answers the what-ifs of
match types that have them.

**Pages.** Lists take `limit`; `next` is the address of the next page (by `after`), null at the end. In a talk channel,
`before` goes back and `after` forward.

**Limits.** Each person may send {settings.ACTION_RATE:g} actions, dry runs and what-ifs a second, and three times that
in one burst. A body is at most {LARGEST_BODY // 1024} KiB. Each player may have {limits} refused actions in one match.
`Retry-After` says how long to wait.

**Changes.** New fields and codes can come at any time: ignore what you do not know. Existing ones keep their names."""


# -- documents -------------------------------------------------------------------------------------------
# The description of the API for tools, and its addresses for people.


@endpoint(GET=About("This description (OpenAPI 3.1)", dict[str, Any], has_etag=True))
def openapi_json(request: HttpRequest) -> Reply:
    """This description of all requests, answers and codes of refusals."""
    body, etag = _encoded()
    return unless_known(request, etag, body)


@cache
def _encoded() -> tuple[bytes, str]:
    body = encode(document())
    return body, etag_of(body)


@endpoint(GET=About("The addresses of the API", dict[str, str | list[str]]))
def index(request: HttpRequest) -> Reply:
    """All addresses of the API by name, those of sockets, and that of this API's description."""
    patterns = get_resolver("matches.api.urls").url_patterns
    named = (each for each in patterns if isinstance(each, URLPattern) and each.name)
    found = {str(each.name): _ARGUMENT.sub(_shown_as, f"/api/{each.pattern}") for each in named}
    more = {
        "sockets": ["/ws/matches/<id>/?format=json", "/ws/me/?format=json"],
        "descriptions": [found.pop("openapi")],
    }
    return reply(found | more)


def _shown_as(argument: re.Match[str]) -> str:
    return f"<{argument[2].removeprefix('public_')}>"
