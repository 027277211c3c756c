"""What each request brings of its viewer: the time zone, the device, and whether its session needs a new key."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.cookies import name_of
from accounts.sign_in import devices, proofs
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


class KnownDeviceMiddleware:
    """Makes a browser a known device of those who sign in there, or choose a new password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        person = getattr(request, "signed_in_as", None)
        if person is not None:
            devices.remember(request, response, person)
        return response


class NewSessionKeyMiddleware:
    """Gives the session of somebody who has just been asked for their password or a code again a new key, so that an
    older key is of no use from then on. At a sign-in Django does so itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST" or not request.path.startswith("/accounts/"):
            return self.get_response(request)
        key, count = request.session.session_key, proofs.count(request)
        response = self.get_response(request)
        if count and proofs.count(request) > count and request.session.session_key == key:
            proofs.renew_session_key(request)
        return response
