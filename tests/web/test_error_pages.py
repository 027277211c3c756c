"""When something is refused or breaks, people read what happened and what to do now."""

import json
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

from matches.services.errors import Busy


def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def puzzle(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


def miss(request: HttpRequest) -> HttpResponse:
    raise Http404


def break_down(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the secret word is sesame")


def wait_in_vain(request: HttpRequest) -> HttpResponse:
    raise OperationalError("the secret word is sesame; database is locked")


def find_no_place(request: HttpRequest) -> HttpResponse:
    raise Busy("sesame")


class NeverGetsThere:
    """A middleware that asks the database before there is a view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None: ...

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return wait_in_vain(request)


handler500 = "matches.api.codes.server_error"
urlpatterns = [
    path("wait/", wait_in_vain),
    path("full/", find_no_place),
    path("api/wait/", wait_in_vain),
    path("refuse/", refuse),
    path("puzzle/", puzzle),
    path("miss/", miss),
    path("break/", break_down),
    path("", include("genius_site.urls")),
]


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/puzzle/", 400, "Go back, reload"),
        ("/refuse/", 403, "sign in first"),
        ("/miss/", 404, "See the matches"),
        ("/nowhere/at/all/", 404, "See the matches"),
        ("/break/", 500, "check before you send it again"),
        ("/wait/", 503, "check before you send it again"),
        ("/full/", 503, "Come back in a few seconds"),
    ],
)
@pytest.mark.django_db
def test_each_error_has_a_page_with_a_next_step_and_no_traceback(address: str, status: int, words: str) -> None:
    answer = Client(raise_request_exception=False).get(address)
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page
    assert re.search(r"<title>\s*\S", page)
    assert "Traceback" not in page
    assert "sesame" not in page


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize("early", [False, True])
def test_a_database_without_time_is_no_fault_and_says_when_to_come_back(early: bool) -> None:
    more = [f"{__name__}.NeverGetsThere"] if early else []
    with override_settings(MIDDLEWARE=[*settings.MIDDLEWARE, *more]):
        client = Client(raise_request_exception=False)
        answers = [client.get("/wait/"), client.get("/api/wait/")]
    assert [(answer.status_code, answer["Retry-After"]) for answer in answers] == [(503, "2")] * 2
    assert answers[1].json()["code"] == "busy"


@pytest.mark.django_db
def test_a_form_without_its_mark_is_refused_in_words_and_to_programs_with_a_code() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.post("/accounts/login/", {"login": "ann"})
    assert page.status_code == 403
    assert "Please send that again" in page.content.decode()
    answer = client.post("/accounts/login/", "{}", content_type="application/json")
    assert answer.status_code == 403
    assert json.loads(answer.content)["code"] == "csrf_failed"


UNREADABLE = {
    "no boundary": ("multipart/form-data", b"a=1"),
    "broken base64": (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n!!!\r\n--x--",
    ),
    "far too many fields": ("application/x-www-form-urlencoded", b"&".join([b"a=1"] * 7000)),
    "far too much": ("application/x-www-form-urlencoded", b"a=" + b"1" * 1_000_000),
}


@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize(("address", "status"), [("/notices/read/", 400), ("/nowhere/at/all/", 404), ("/admin/", 400)])
@pytest.mark.django_db
def test_a_form_that_cannot_be_read_is_refused_and_breaks_no_error_page(form: str, address: str, status: int) -> None:
    """Every error page asks for a CSRF token, and so looks into the form again."""
    content_type, body = UNREADABLE[form]
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.cookies["csrftoken"] = "a" * 32
    answer = browser.post(address, body, content_type=content_type)
    assert answer.status_code == status
