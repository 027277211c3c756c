"""What browsers need for pushes: the service worker, and adding and removing their subscriptions."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from matches.infra.nul import without_nul
from notices.services import addresses

_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root so that it may open every page; browsers ask each time whether it has changed."""
    answer = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    answer["Service-Worker-Allowed"] = "/"
    answer["Cache-Control"] = "no-cache"
    return answer


@cache
def _worker() -> bytes:
    return bytes((settings.BASE_DIR / "static" / "js" / "push-worker.js").read_bytes())


@require_POST
def on(request: HttpRequest) -> JsonResponse:
    """Add this browser: its endpoint, its keys, and the key of the site for which it subscribed."""
    user = _signed_in(request)
    if user is None:
        return _sign_in()
    given = {name: _field(request, name) for name in ("endpoint", "p256dh", "auth", "server_key")}
    try:
        address = addresses.add_browser(user, **given, label=_browser(request.headers.get("User-Agent", "")))
    except addresses.Refused as refused:
        return _said(False, refused.message, 422, code=refused.code)
    return _said(True, "This browser gets pushes now.", 200, token=address.token)


@require_POST
def off(request: HttpRequest) -> JsonResponse:
    """Remove this browser, named by its endpoint."""
    user = _signed_in(request)
    if user is None:
        return _sign_in()
    addresses.remove_browser(user, _field(request, "endpoint"))
    return _said(True, "This browser gets no more pushes.", 200)


def _signed_in(request: HttpRequest) -> User | None:
    return None if isinstance(request.user, AnonymousUser) else request.user


def _sign_in() -> JsonResponse:
    return _said(False, "Sign in first.", 401, code="not_signed_in")


def _said(accepted: bool, message: str, status: int, **more: Any) -> JsonResponse:
    return JsonResponse({"accepted": accepted, "message": message, **more}, status=status)


def _field(request: HttpRequest, name: str) -> str:
    return without_nul(request.POST.get(name, ""))


def _browser(agent: str) -> str:
    """“Firefox on Android”: by which people know it again in the list."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return " on ".join(filter(None, [browser or "A browser", system]))
