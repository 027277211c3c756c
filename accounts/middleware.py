"""What each request brings of its viewer: the time zone, and whether its session needs a new key."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from allauth.account.authentication import get_authentication_records
from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.cookies import name_of
from accounts.validators import is_time_zone


def browser_zone(request: HttpRequest) -> str:
    """The zone that the browser has told, which may be anything. Written by static/js/clock.js."""
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
    """Gives the session of somebody who has just been asked for their password or a code again a new key, so that an
    older key is of no use from then on. At a sign-in Django does so itself."""

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
    """How often somebody has proved in this session who they are; 0 for those who are not signed in."""
    user = request.user
    return len(get_authentication_records(request, user)) if user.is_authenticated else 0
