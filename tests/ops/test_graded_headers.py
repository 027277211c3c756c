"""Every kind of answer, graded by the rubric of Mozilla's Observatory, which is worked out here: 100 and more is A+.

Its points for what only shows on the network (the redirect to https, the preload list) are not given. A kind of
answer is what makes its headers: a page for a visitor, for a person, of the console, an error, a redirect, data for
programs through Django and past it, files, feeds, pictures, probes.
"""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from tests.fixtures.site import Site
from tests.fixtures.table import Table, running

Headers = dict[str, str]
A_PLUS = 100


def policy_of(headers: Headers) -> dict[str, list[str]]:
    """The Content-Security-Policy, by directive."""
    parts = (part.split() for part in headers.get("content-security-policy", "").split(";") if part.strip())
    return {words[0]: words[1:] for words in parts}


def points(headers: Headers, *, over_https: bool = False) -> Iterator[tuple[str, int]]:
    """What the rubric gives or takes, by its name for it."""
    policy = policy_of(headers)
    default = policy.get("default-src", ["*"])
    runs = policy.get("script-src", default) + policy.get("object-src", default)
    looks = policy.get("style-src", default)
    if not policy:
        yield "no policy", -25
    elif any(word in runs for word in ("'unsafe-inline'", "data:", "https:", "*")):
        yield "scripts from anywhere", -20
    elif "'unsafe-eval'" in runs:
        yield "eval", -10
    elif "'unsafe-inline'" in looks:
        yield "inline styles", 0
    else:
        yield "a policy without anything unsafe", 10 if default == ["'none'"] else 5
    if headers.get("x-content-type-options") != "nosniff":
        yield "types are guessed", -5
    if policy.get("frame-ancestors") == ["'none'"]:
        yield "in no frame, by the policy", 5
    elif headers.get("x-frame-options", "").upper() not in ("DENY", "SAMEORIGIN"):
        yield "in anybody's frame", -20
    referrer = headers.get("referrer-policy", "")
    if referrer in ("no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"):
        yield "addresses stay here", 5
    elif referrer:
        yield "addresses are told", -5
    if "access-control-allow-origin" in headers:
        yield "others may read it", -50 if headers["access-control-allow-origin"] == "*" else -20
    cookies = headers.get("set-cookie", "").lower()
    if "sessionid" in cookies and not all(word in cookies for word in ("httponly", "samesite")):
        yield "a session within reach of scripts", -30
    if over_https and "max-age=31536000" not in headers.get("strict-transport-security", ""):
        yield "plain http the next time", -20


def grade(headers: Headers, *, over_https: bool = False) -> int:
    """Of 100 without a fault; what is good counts only where little is bad, as in the rubric."""
    given = dict(points(headers, over_https=over_https))
    base = A_PLUS + sum(value for value in given.values() if value < 0)
    return base + (sum(value for value in given.values() if value > 0) if base >= 90 else 0)


def faults(headers: Headers, *, over_https: bool = False) -> list[str]:
    """Why this answer is not graded A+, or lacks what the rubric does not ask for."""
    policy, kind = policy_of(headers), headers.get("content-type", "")
    found = [f"{name} ({value})" for name, value in points(headers, over_https=over_https) if value < 0]
    found += [] if grade(headers, over_https=over_https) >= A_PLUS else ["less than A+"]
    closed = policy.get("object-src", policy.get("default-src")) == ["'none'"] == policy.get("base-uri")
    found += [] if closed else ["objects or another base"]
    if kind.startswith(("text/", "application/xml")) and "charset=" not in kind:
        found.append(f"no charset: {kind}")
    return found


@pytest.fixture
def table(site: Site) -> Table:
    return running(site)[0]


def paths(table: Table) -> list[str]:
    """One address of each kind that a visitor may ask for."""
    match = f"/matches/{table.id}/"
    api = f"/api/v1{match}"
    return [
        *("/", match, f"{match}picture.png", f"{match}feed.atom", "/accounts/login/", "/nowhere/", "/me/", "/join/x/"),
        *("/static/css/base.css", "/static/js/clock.js", "/static/", "/sitemap.xml", "/robots.txt", "/favicon.ico"),
        *(
            "/manifest.webmanifest",
            "/.well-known/security.txt",
            "/check_export.py",
            "/api/openapi.json",
            "/bots/bot.py",
        ),
        *(api, f"{api}actions/", f"{api}log/", "/api/v1/me/", "/api/nothing/", "/admin/", "/admin/login/", "/push.js"),
        *("/healthz", "/livez", "/readyz", "/metrics", "/calendar/nothing.ics", f"{match}tables/bids.csv", "/%00"),
    ]


def answer(table: Table, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Headers]:
    connection = http.client.HTTPConnection(urlsplit(table.site.url).netloc, timeout=20)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): each for name, each in headers.items()})
        response = connection.getresponse()
        response.read()
        return response.status, {name.lower(): value for name, value in response.headers.items()}
    finally:
        connection.close()


def test_every_kind_of_answer_is_graded_a_plus(table: Table) -> None:
    ann = table.people[0]
    asked: list[tuple[str, str, bytes | None, dict[str, str]]] = [("GET", path, None, {}) for path in paths(table)]
    asked += [("GET", path, None, ann.cookies()) for path in ("/", f"/matches/{table.id}/", "/profile/", "/admin/")]
    asked += [
        ("POST", f"/api/v1/matches/{table.id}/actions/", b"{}", ann.bearer()),
        ("POST", f"/api/v1/matches/{table.id}/actions/", b"{}", {}),
        ("POST", f"/matches/{table.id}/act/", b"type=bid", ann.cookies(csrf=False)),
        ("POST", f"/matches/{table.id}/preview/", b"type=bid", ann.cookies()),
        ("PUT", "/", b"", {}),
        ("GET", "/", None, {"Host": "elsewhere.example"}),
    ]
    kinds = {}
    for method, path, body, headers in asked:
        status, shown = answer(table, method, path, body, **headers)
        kinds[f"{method} {path} {status}"] = faults(shown)
    assert {kind: found for kind, found in kinds.items() if found} == {}
    assert {int(kind[-3:]) for kind in kinds} >= {200, 302, 400, 401, 403, 404, 405, 409, 410, 422}


def test_nothing_is_listed_echoed_or_left_lying_about(table: Table) -> None:
    for path in ("/static/", "/static/css/", "/.git/config", "/.env", "/static/../.env", "/requirements.lock"):
        assert answer(table, "GET", path)[0] in (400, 404), path
    status, shown = answer(table, "TRACE", "/", Cookie="sessionid=sesame")
    assert (status, "sesame" in str(shown)) == (405, False)


@override_settings(SECURE_HSTS_SECONDS=365 * 24 * 3600, SECURE_HSTS_INCLUDE_SUBDOMAINS=True, X_FRAME_OPTIONS="DENY")
@pytest.mark.django_db
def test_pages_of_the_console_are_too_and_nothing_goes_back_to_plain_http() -> None:
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("boss", "boss@example.org", "x"))
    for path in ("/admin/", "/admin/matches/match/", "/admin/matches/match/add/", "/admin/accounts/user/", "/nowhere/"):
        shown = {name.lower(): value for name, value in browser.get(path, secure=True).headers.items()}
        assert faults(shown, over_https=True) == []
        assert "includeSubDomains" in shown["strict-transport-security"]
        assert shown["cache-control"] == "no-store, private"
