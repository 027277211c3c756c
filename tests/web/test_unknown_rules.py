"""A match by rules that this site does not have: every address says so, and all other pages stay as they are."""

import json

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from matches.models import Match
from matches.services.roles import HOSTS
from tests.web.conftest import Table, browser

SUFFIXES = ("", "parts/", "rules/", "history/", "news/", "result/", "log/")


@pytest.fixture(params=[{"rules_version": 7}, {"game": "a_game_of_yesterday"}], ids=["version", "game"])
def lost(auction: Table, request: pytest.FixtureRequest) -> Table:
    """A match that runs, as a site without its rules finds it."""
    Match.objects.filter(pk=auction.match_id).update(title="Lost table", **request.param)
    return auction


@pytest.mark.parametrize("name", [None, "ann", "dora"])
def test_every_page_of_it_says_what_is_missing(lost: Table, name: str | None) -> None:
    client = browser(lost.users[name] if name else None)
    for suffix in SUFFIXES:
        page = client.look(lost.url + suffix, 503)
        assert "We cannot show Lost table now" in page
        assert lost.match.rules.problem in page
    for post in ("act/", "preview/"):
        answer = client.post(lost.url + post, {"type": "bid", "seat": "Z", "amount": "9", "key": "k"})
        assert answer.status_code in (302, 401, 403, 503)
    if name == "ann":
        assert answer.status_code == 503


def test_the_api_refuses_it_with_a_code(lost: Table) -> None:
    ann, api = browser(lost.users["ann"]), f"/api/v1/matches/{lost.match.public_id}/"
    for path in ("", "feed/", "history/", "log/", "export/"):
        answer = json.loads(ann.look(api + path, 503))
        assert (answer["code"], answer["message"]) == ("rules_unknown", lost.match.rules.problem)
    for query in ("", "?dry_run=1"):
        answer = ann.post(f"{api}actions/{query}", {"type": "buy_chips", "count": 1}, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (503, "rules_unknown")
    listed = json.loads(ann.look("/api/v1/matches/"))["matches"]
    assert [each["title"] for each in listed] == ["Lost table"]


def test_the_console_says_it_to_hosts_and_lets_them_end_the_match(lost: Table) -> None:
    dora = lost.users["dora"]
    dora.is_staff = True
    dora.save()
    dora.groups.add(Group.objects.get(name=HOSTS))
    client = browser(dora)
    page = client.look(reverse("admin:matches_match_change", args=[lost.match_id]))
    assert lost.match.rules.problem in page
    assert "Fault" in client.look(reverse("admin:matches_match_changelist"))
    address = reverse("admin:matches_match_command", args=[lost.match_id, "cancel"])
    assert client.look(address)
