"""What every answer carries, who may keep it, and who may open a socket."""

import gzip
from contextlib import closing

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from matches.infra.origins import may_connect

HOST = "genius.example.org"


@pytest.fixture
def person(db):
    return get_user_model().objects.create_user("ada", "ada@example.org", "not used here")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/", "/accounts/login/", "/admin/login/", "/nowhere/", "/api/v1/", "/static/css/site.css"]
)
def test_every_page_has_the_protecting_headers(client: Client, path: str) -> None:
    with closing(client.get(path)) as answer:
        headers = answer.headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/profile/", "/nowhere/"])
def test_what_is_made_for_somebody_is_kept_by_nobody(client: Client, person: object, path: str) -> None:
    client.force_login(person)
    assert client.get(path).headers["Cache-Control"] == "no-store, private"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/login/", "/games/", "/nowhere/"])
def test_pages_go_over_the_network_compressed(client: Client, path: str) -> None:
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert b"</html>" in gzip.decompress(packed.content)


@pytest.fixture
def _own_host(settings):
    settings.ALLOWED_HOSTS = [HOST]
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example.org"]


def headers(*pairs: tuple[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin1"), value.encode("latin1")) for name, value in pairs]


@pytest.mark.usefixtures("_own_host")
@pytest.mark.parametrize("origin", [f"https://{HOST}", f"http://{HOST}", "https://play.example.org"])
def test_our_own_pages_may_open_sockets(origin: str) -> None:
    assert may_connect(headers(("host", HOST), ("origin", origin)))


@pytest.mark.usefixtures("_own_host")
def test_our_own_name_without_its_lock_is_not_us(settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    assert may_connect(headers(("host", HOST), ("origin", f"https://{HOST}")))
    assert not may_connect(headers(("host", HOST), ("origin", f"http://{HOST}")))


FOREIGN = [
    "",
    "null",
    "https://evil.example",
    f"https://{HOST}.evil.example",
    f"https://evil{HOST}",
    f"https://evil.example/{HOST}",
    f"https://{HOST}@evil.example",
    f"https://evil.example#{HOST}",
    f"https://{HOST}:8443",
    f"https://{HOST}/",
    f"https://{HOST}/path",
    f"https://sub.{HOST}",
    f"ftp://{HOST}",
    f"file://{HOST}",
    HOST,
    f"//{HOST}",
    "https://",
    "https://[",
    f"https://{HOST} https://evil.example",
    "http://play.example.org",
    "https://play.example.org:444",
    "chrome-extension://abcdef",
]


@pytest.mark.usefixtures("_own_host")
@pytest.mark.parametrize("origin", FOREIGN)
def test_foreign_pages_may_not(origin: str) -> None:
    assert not may_connect(headers(("host", HOST), ("origin", origin)))


@pytest.mark.usefixtures("_own_host")
@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [("host", HOST)],
        [("host", HOST), ("cookie", "sessionid=x")],
        [("host", HOST), ("authorization", "Basic abc")],
        [("host", HOST), ("origin", f"https://{HOST}"), ("origin", "https://evil.example")],
        [("host", "evil.example"), ("origin", "https://evil.example")],
        [("host", "evil.example"), ("origin", "https://evil.example"), ("authorization", "Bearer x")],
    ],
)
def test_nor_may_what_hides_its_origin_or_names_another_host(pairs: list[tuple[str, str]]) -> None:
    assert not may_connect(headers(*pairs))


def test_a_program_with_a_token_needs_no_origin() -> None:
    """It sends no cookies that a foreign page could have borrowed."""
    assert may_connect(headers(("host", HOST), ("authorization", "Bearer abc")))
