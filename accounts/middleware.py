"""Middleware for the viewer's time zone, and for a new session key after people prove again who they are."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from allauth.account.authentication import get_authentication_records
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.cookies import name_of
from accounts.validators import is_time_zone


def browser_zone(request: HttpRequest) -> str:
    """The time zone that the browser has set in a cookie (by static/js/clock.js); may be any text."""
    return request.COOKIES.get(name_of("tz"), "")


def viewer_zone(request: HttpRequest) -> str:
    """The zone in which this viewer reads times: their own choice, else their browser's, else UTC."""
    user = request.user
    chosen = user.time_zone if user.is_authenticated else browser_zone(request)
    return chosen if is_time_zone(chosen) else "UTC"


class TimeZoneMiddleware:
    """Show this request's times in the viewer's zone. Belongs after AuthenticationMiddleware.

    It overrides instead of activating, because threads are reused for other visitors.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(ZoneInfo(viewer_zone(request))):
            return self.get_response(request)


class NewSessionKeyMiddleware:
    """Gives a session a new key once its owner has entered a password or code again, so that a stolen older key stops
    working. At sign-in Django does this itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path.startswith("/accounts/"):
            return self.get_response(request)
        key, count = request.session.session_key, _proofs(request)
        response = self.get_response(request)
        if count and _proofs(request) > count and request.session.session_key == key:
            request.session.cycle_key()
            UserSession.objects.filter(session_key=key).update(session_key=request.session.session_key)
        return response


def _proofs(request: HttpRequest) -> int:
    """How often somebody has proved their identity in this session; 0 for visitors."""
    user = request.user
    return len(get_authentication_records(request, user)) if user.is_authenticated else 0
