"""The public page of a person tells what everybody may know, and nothing else."""

import re

from django.utils.safestring import SafeString

from accounts.models import User
from matches.models import Match, PlayerResult
from matches.models.clock import FixedTime
from matches.pages.extensions import Section
from matches.services.hosting import cancel, publish
from matches.services.replay import verify
from tests.fixtures.registered import only
from tests.web.conftest import Table, browser


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def known_of(name: str) -> dict:
    return browser().get(f"/api/v1/people/{name}/").json()


def test_a_match_counts_for_its_players_when_it_is_finished_and_not_before(auction: Table) -> None:
    before = browser().look("/people/ann/")
    assert "Night table" in before
    assert "running" in words(before)
    assert "Results" not in before
    assert known_of("ann")["results"] == []
    auction.bid("cat", "Y", 6).at(24 * 9)
    assert auction.match.status == Match.Status.FINISHED
    outcome = browser().get(f"/api/v1/matches/{auction.match.public_id}/").json()["public"]
    for name in ("ann", "bob", "cat"):
        (tally,) = known_of(name)["results"]
        assert (tally["played"], tally["won"]) == (1, int(name in outcome["winners"]))
        assert tally["candidate"] == int(name in outcome["candidates"])
        assert ("First win" in browser().look(f"/people/{name}/")) == (name in outcome["winners"])
    assert verify(auction.match) == []
    PlayerResult.objects.filter(player=auction.player("ann")).update(tokens=7)
    (found,) = verify(auction.match)
    assert "result of the players" in found


def test_what_nobody_may_know_of_never_shows(db: None, present: FixedTime) -> None:
    draft = Table(present)
    for name in ("ann", "dora"):
        assert "Night table" not in browser(draft.users["ann"]).look(f"/people/{name}/")
        assert "Night table" not in str(known_of(name))
    publish(draft.match, draft.users["dora"])
    assert all("Night table" in browser().look(f"/people/{name}/") for name in ("ann", "dora"))
    cancel(draft.match, draft.users["dora"], "no time")
    assert "cancelled" in words(browser().look("/people/ann/"))
    never = Table(present)
    cancel(never.match, never.users["dora"], "no time")
    assert browser().look("/people/ann/").count("Night table") == 1
    page = browser(draft.users["eve"]).look("/people/ann/")
    assert "ann@example.org" not in page
    assert "Europe" not in words(page)


def test_a_person_may_keep_the_page_empty(table: Table) -> None:
    table.finish()
    ann = browser(table.users["ann"])
    ann.post(
        "/profile/",
        {
            "display_name": "Ann B.",
            "time_zone": "UTC",
            "theme": "auto",
            "shape": "1",
            "colour": "2",
            "keeps_private": "on",
        },
    )
    page = browser().look("/people/ann/")
    assert "Ann B." in page
    assert "Night table" not in page
    assert "Member since" not in page
    assert browser().get("/people/ann/hosted/").url == "/people/ann/"
    with only("of_people", lambda user, viewer: Section("seasons", "Seasons", SafeString("x"), [])):
        assert known_of("ann") == {"username": "ann", "name": "Ann B.", "is_bot": False, "is_shown": False}
    ann.post("/profile/", {"display_name": "Ann B.", "time_zone": "UTC", "theme": "auto", "shape": "1", "colour": "2"})
    assert "Night table" in browser().look("/people/ann/")
    User.objects.filter(username="ann").update(is_active=False)
    assert "Night table" not in browser().look("/people/ann/")
