"""What the site says of itself: pages at the foot of every page, and the files that robots and browsers ask for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from genius_site import clearing
from genius_site.about.views import contact
from matches.models import clock
from tests.architecture.files import files, in_tests
from tests.services.conftest import person

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def text(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return b"".join(answer).decode()  # type: ignore[arg-type]


def test_every_page_leads_to_privacy_and_accessibility() -> None:
    for path in ("/", "/accounts/login/", "/privacy/"):
        page = text(path)
        assert 'href="/privacy/"' in page
        assert 'href="/accessibility/"' in page
        assert 'rel="manifest"' in page


def test_the_privacy_page_says_how_long_a_sign_in_stays_in_the_list() -> None:
    said = re.search(r"for (\d+) days at most after you used it last", " ".join(text("/privacy/").split()))
    assert said is not None
    last, longest = clock.now(), timedelta(days=int(said[1]))
    ends = last + timedelta(days=settings.AWAY_DAYS)
    session = Session.objects.create(session_key="x", session_data="", expire_date=ends)
    line = UserSession.objects.create(user=person("ann"), session_key=session.pk, ip="192.0.2.1", user_agent="x")
    UserSession.objects.filter(pk=line.pk).update(last_seen_at=last)
    clearing.clear(last + longest - timedelta(hours=1))
    assert UserSession.objects.exists()
    clearing.clear(last + longest + timedelta(hours=1))
    assert not UserSession.objects.exists()


def test_the_privacy_page_names_every_cookie() -> None:
    named = set()
    for file in files(".py", under=("accounts/", "genius_site/", "matches/", "notices/", "seasons/", "talk/")):
        if not in_tests(file.path):
            named |= set(re.findall(r'name_of\("(\w+)"\)', file.text))
            for names in re.findall(r"^\w+_COOKIE(?:, \w+_COOKIE)* = (.*)$", file.text, re.MULTILINE):
                named |= set(re.findall(r'"(\w+)"', names))
    assert len(named) > 3
    on_the_page = set(re.findall(r"<code>(\w+)</code>", text("/privacy/")))
    assert on_the_page == named | {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def test_security_txt_names_a_contact_and_ends_within_a_year() -> None:
    lines = dict(line.split(": ", 1) for line in text("/.well-known/security.txt").splitlines())
    assert lines["Contact"] == f"mailto:{contact()}"
    left = datetime.strptime(lines["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) - clock.now()
    assert timedelta(days=100) < left < timedelta(days=365)


def test_the_sitemap_has_pages_that_a_visitor_may_read_and_robots_may_ask_for() -> None:
    rules = text("/robots.txt").splitlines()
    closed = [line.removeprefix("Disallow: ") for line in rules if line.startswith("Disallow")]
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in rules
    found = [each.text or "" for each in ElementTree.fromstring(text("/sitemap.xml")).iter() if each.text]  # noqa: S314
    assert len(found) > 6
    for url in found:
        path = url.removeprefix(settings.SITE_URL)
        assert not any(path.startswith(each) for each in closed)
        assert "/matches/" not in path or path == "/matches/"
        assert Client().get(path).status_code == 200
