"""What a host typed and sent after their session had ended: it is kept until they have signed in again.

It is in the new session of the same browser, for the person who typed it (a hidden field says who) and for the page
that they typed it in; they see it there once, not saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.urls import URLPattern

from matches.infra.rate_limits import wait_to_ask

_KEPT = "unsaved"
_BY = "typed_by"
_LARGEST = 100_000
_NOT_KEPT = ("csrfmiddlewaretoken", "_confirm", "_check", "key")


def keeping(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """These addresses, which keep what strangers send, before they lead to the sign-in."""
    found = list(patterns)
    for pattern in found:
        pattern.callback = _keeping(pattern.callback)
    return found


def _keeping(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not request.user.is_authenticated:
            _keep(request)
        found: HttpResponseBase = view(request, *args, **kwargs)
        return found

    return kept


def _keep(request: HttpRequest) -> None:
    typed = request.POST.copy()
    for name in _NOT_KEPT:
        typed.pop(name, None)
    text = typed.urlencode()
    if typed.get(_BY) and len(text) <= _LARGEST and not wait_to_ask(request, None):
        request.session[_KEPT] = {"path": request.path, "by": typed[_BY], "typed": text}


def take(request: HttpRequest) -> QueryDict | None:
    """What this person had typed in this page before they signed in again; given once, with a message that says so."""
    kept = request.session.get(_KEPT)
    if request.method != "GET" or not kept or kept["path"] != request.path:
        return None
    del request.session[_KEPT]
    if kept["by"] != str(request.user.pk):
        return None
    messages.warning(request, "You were signed out before this was sent. What you typed is below, and not saved yet.")
    return QueryDict(kept["typed"])
