"""Views that browsers call for pushes: the service worker, and adding, renewing and removing subscriptions."""

from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.cookies import browser_name
from accounts.models import User
from matches.api.replies import too_many
from matches.infra.origins import may_connect
from matches.infra.rate_limits import Buckets, client_address
from matches.infra.text import without_nul
from notices import addresses
from notices.models import Address


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker, at the root so that it may open every page; browsers check whether it has changed."""
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
        address = addresses.add_browser(user, **given, label=browser_name(request.headers.get("User-Agent", "")))
    except addresses.Refused as refused:
        return _said(False, refused.message, 422, code=refused.code)
    return _said(True, "Push notifications are now on in this browser.", 200, token=address.token)


@require_POST
def off(request: HttpRequest) -> JsonResponse:
    """Remove this browser, named by its endpoint."""
    user = _signed_in(request)
    if user is None:
        return _sign_in()
    Address.objects.filter(user=user, channel=Address.Channel.PUSH, target=_field(request, "endpoint")).delete()
    return _said(True, "Push notifications are now off in this browser.", 200)


@csrf_exempt  # a service worker has no form; the earlier subscription's secret authenticates it
@require_POST
def renew(request: HttpRequest) -> JsonResponse:
    """Replace a renewed subscription: `old_endpoint` and `old_auth` are the earlier one's, the rest is as for `on`."""
    wait = renewal_rates().take(client_address(request))
    if wait:
        return _said(False, too_many(wait).message, 429, code="too_many")
    origin, host = request.headers.get("Origin", ""), request.get_host()
    if not may_connect([(b"origin", origin.encode()), (b"host", host.encode())]):
        return _said(False, "Only this site's own pages may do that.", 403, code="foreign_origin")
    names = ("old_endpoint", "old_auth", "endpoint", "p256dh", "auth", "server_key")
    try:
        addresses.renew_browser(**{name: _field(request, name) for name in names})
    except addresses.Refused as refused:
        return _said(False, refused.message, 404 if refused.code == "unknown" else 422, code=refused.code)
    return _said(True, "This browser still gets push notifications.", 200)


@cache
def renewal_rates() -> Buckets:
    """The limit for one network address: a browser renews once in weeks, but a school has many browsers."""
    return Buckets(0.5, 60)


def _signed_in(request: HttpRequest) -> User | None:
    return None if isinstance(request.user, AnonymousUser) else request.user


def _sign_in() -> JsonResponse:
    return _said(False, "Sign in first.", 401, code="not_signed_in")


def _said(accepted: bool, message: str, status: int, **more: Any) -> JsonResponse:
    return JsonResponse({"accepted": accepted, "message": message, **more}, status=status)


def _field(request: HttpRequest, name: str) -> str:
    return without_nul(request.POST.get(name, ""))
