"""Over plain http pages lead to https, and programs are refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client


@pytest.mark.django_db
def test_a_page_leads_to_https_and_the_api_does_not(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    browser = Client()
    page = browser.get("/matches/")
    assert (page.status_code, page["Location"]) == (301, "https://testserver/matches/")
    for send in (browser.get, browser.post):
        answer = send("/api/v1/matches/", headers={"Authorization": "Bearer abc"})
        assert (answer.status_code, answer.json()["code"]) == (403, "https_only")
    assert browser.get("/api/v1/matches/", secure=True).status_code == 200
