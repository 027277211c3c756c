"""How endpoints describe themselves: their answers and codes of refusal; and the handlers of error responses."""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults

from matches.api.replies import FAILED, RETRY_AFTER, refusal, reply_to
from matches.api.requests import respond
from matches.engine.sentences import NO_PLAYER
from matches.services.errors import Busy

# -- codes -----------------------------------------------------------------------------------------------
# The codes with which the API refuses requests: by status, each stable code and what it means.

Codes = Mapping[int, Mapping[str, str]]

EVERYWHERE: Codes = {
    400: {
        "malformed": "A parameter is unknown, given twice, or has a wrong value. The message begins with its name.",
        "bad_request": "The site cannot read the request.",
    },
    401: {
        "bad_token": "There is no such token, or its owner revoked it or set a new password.",
        "token_expired": "The token has expired.",
    },
    403: {
        "token_for_another_match": "The token is limited to one match, and this address does not belong to that match.",
        "second_factor_required": "This site requires a second factor of the token's owner, who has none yet.",
    },
    404: {"not_found": "There is nothing at this address, or you may not see it."},
    500: {"internal_error": FAILED},
    503: {
        "busy": "The site is too busy. Send the same request again, with the same key, once Retry-After has passed.",
        "database_unavailable": (
            "The database is briefly unavailable. Send the same request again, with the same key, "
            "once Retry-After has passed."
        ),
    },
}
"""What any endpoint may answer."""

OF_A_MATCH: Codes = {
    503: {
        "rules_unknown": "The match began with rules that this site does not have. Nobody can do anything in it now.",
        "match_illegible": "The rules fail on the match's stored data. Nobody can do anything in this match now.",
    },
}

SIGNED_IN: Codes = {401: {"not_signed_in": "This needs a token."}}

COUNTED: Codes = {429: {"too_many_requests": "Too many requests in a second. Wait as long as Retry-After says."}}

WITH_A_BODY: Codes = {
    400: {"malformed_json": "The body is not JSON, or is nested too deeply."},
    413: {"too_large": "A body is at most 16 KiB."},
    422: {"malformed": "The body has the wrong fields, or values of the wrong type."},
}

WITH_A_KEY: Codes = {
    400: {"bad_key": "An Idempotency-Key is 1 to 100 visible ASCII characters, sent once."},
    409: {"key_reused": "The key was used for something else. Use a new key for a new request."},
}

CHANGING: Codes = {
    403: {
        "token_may_only_read": "The token's scope is “read”, but this changes something.",
        "csrf_failed": "A browser's cookie came without its CSRF token. API tokens need none.",
    },
    **SIGNED_IN,
    **WITH_A_BODY,
}

OF_AN_ACTION: Codes = {
    403: {"not_a_player": NO_PLAYER},
    408: {"timeout": "The body did not arrive in time."},
    409: {"bot_plays": "A bot plays for you. Take your place back first."},
    422: {
        "malformed": "The action is not an object with a `type`, or has wrong fields.",
        "unknown_action": "This match has no action of this `type`.",
        "match_not_open": "The match has not begun. The action is not stored. You can send it again after the start.",
        "match_paused": "The match is paused.",
        "match_cancelled": "The match was cancelled.",
        "wrong_phase": "This action is not possible in the present phase.",
        "not_positive": "A number has to be at least 1, or a sum above 0.",
        "not_enough_garnets": "You do not have enough garnets for this.",
        "nothing_to_withdraw": "There is nothing to take back.",
        "not_your_decision": "This decision is not yours to make.",
        "not_eligible": "You cannot choose this player.",
    },
    429: {"too_many_refused": "The rules refuse this action and have refused too many of yours. It is not stored."},
    503: {"match_fault": "The rules failed, so nothing was stored. The hosts know."},
}

NOT_A_PLAYER: Codes = {403: {"not_a_player": OF_AN_ACTION[403]["not_a_player"]}}

NOT_FINISHED: Codes = {409: {"match_not_finished": "The site publishes this when the match is over."}}

NO_VIEW: Codes = {404: {"no_such_view": "There is no such player, or you may not see what they see."}}

ASKING_HOSTS: Codes = {
    409: {"command_refused": "Nobody can ask questions in this match now."},
    429: {"too_many_questions": "Too many of your questions are unanswered, or you have asked too many today."},
}


OF_A_QUESTION: Codes = {
    422: {"unknown_question": "This match type has no question of this `type`."},
}

OF_A_TEXT: Codes = {
    422: {
        "text_missing": "The text is empty.",
        "text_too_long": "The text is too long.",
        "text_not_visible": "The text has characters that nobody can see or that change the writing direction.",
    },
}


def together(*groups: Codes) -> Codes:
    """Merge groups of codes."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for group in groups:
        for status, codes in group.items():
            found[status].update(codes)
    return dict(sorted(found.items()))


OF_A_PLAYER = together(OF_A_MATCH, SIGNED_IN, NOT_A_PLAYER)
"""For endpoints where a player of the match reads what is theirs."""

SENT_ONCE = together(OF_A_MATCH, CHANGING, WITH_A_KEY, COUNTED)
"""For endpoints where somebody sends something to a match, which counts once however often it is sent."""


# -- described -------------------------------------------------------------------------------------------
# How an endpoint describes itself beyond its methods and parameters; the OpenAPI document is made from this.


class About(NamedTuple):
    """One method of an endpoint.

    `summary`: a line. `answer`: the type of a successful answer, or a tuple of several; `body`: the type of what is
    posted. `codes`: its refusals, besides those of every endpoint. `needs`: the scope of the token (`read`, `act`),
    empty if no token is needed. `has_key`: whether it takes an Idempotency-Key; `has_etag`: whether it can answer 304.
    """

    summary: str
    answer: Any
    body: Any = None
    codes: Codes = {}
    needs: str = ""
    has_key: bool = False
    has_etag: bool = False


# -- error responses -----------------------------------------------------------------------------------------
# 400, 403, 404, 500, 503: JSON below /api/, HTML pages everywhere else.


def _forget_unreadable_form(request: HttpRequest) -> None:
    """Mark a form that cannot be read (an unknown charset, broken parts), which would fail again on every access. The
    error pages access it: they need a CSRF token."""
    try:
        _ = request.POST
    except Exception:
        request._mark_post_parse_error()  # type: ignore[attr-defined]


def _answer(request: HttpRequest, page: Callable[[], HttpResponse], *refused: Any) -> HttpResponse:
    """A refusal (status, code and sentence) for programs, a page for people."""
    if request.path.startswith("/api/"):
        return respond(refusal(*refused))
    _forget_unreadable_form(request)
    return page()


def bad_request(request: HttpRequest, exception: Any) -> HttpResponse:
    """Answer 400: a host that is not ours, a body beyond every limit, a form that cannot be read."""
    page = partial(defaults.bad_request, request, exception)
    return _answer(request, page, 400, "bad_request", "The site cannot read this request.")


def permission_denied(request: HttpRequest, exception: Any) -> HttpResponse:
    page = partial(defaults.permission_denied, request, exception)
    return _answer(request, page, 403, "forbidden", "You may not do this.")


def page_not_found(request: HttpRequest, exception: Any) -> HttpResponse:
    page = partial(defaults.page_not_found, request, exception)
    return _answer(request, page, 404, "not_found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 for an unexpected error, or 503 if the database was busy before any view ran."""
    if isinstance(error := sys.exception(), _BUSY):
        return busy(request, error)
    page = partial(defaults.server_error, request)
    return _answer(request, page, 500, "internal_error", FAILED)


_BUSY = (Busy, OperationalError, InterfaceError)


def busy(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer 503: a lock is taken, or the database is away. Makes no queries."""
    if request.path.startswith("/api/"):
        return respond(reply_to(error))
    return HttpResponse(render_to_string("503.html"), status=503)


class BusyMiddleware:
    """Answers an error of a busy database as `busy` does, and gives every 503 a Retry-After header."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503:
            response.setdefault("Retry-After", RETRY_AFTER)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the answer to an error of a view; None if the database is not the reason."""
        return busy(request, error) if isinstance(error, _BUSY) else None
