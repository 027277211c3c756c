"""The Atom feeds of a match and of all results, read with an XML parser."""

from xml.etree import ElementTree

import pytest
from django.test import Client

from matches.infra.rate_limits import Buckets
from matches.models import Announcement
from notices import feeds
from tests.web.conftest import Table

ATOM = "{http://www.w3.org/2005/Atom}"
SITE = "http://127.0.0.1:8000"


class Read:
    """A feed as a reader takes it."""

    def __init__(self, url: str, client: Client | None = None) -> None:
        response = (client or Client()).get(url)
        assert response.status_code == 200
        self.text = response.content.decode()
        self.root = ElementTree.fromstring(self.text)  # noqa: S314  (our own text)
        self.entries = self.root.findall(f"{ATOM}entry")
        self.titles = [entry.findtext(f"{ATOM}title") for entry in self.entries]
        self.ids = [entry.findtext(f"{ATOM}id") for entry in self.entries]

    def link(self, relation: str) -> str | None:
        found = self.root.find(f"{ATOM}link[@rel='{relation}']")
        return None if found is None else found.get("href")


def feed_of(table: Table) -> str:
    return f"{table.url}feed.atom"


def test_a_match_s_feed_has_what_everybody_was_told_newest_first(auction: Table) -> None:
    feed = Read(feed_of(auction))
    told = Announcement.objects.filter(match=auction.match, audience="everyone").order_by("-pk")
    assert feed.ids == [f"tag:127.0.0.1,2026:announcement/{each.token}" for each in told]
    assert feed.titles[:2] == ["bob bids 5 on Z.", "ann bids 4 on Y."]
    assert feed.link("self") == f"{SITE}{feed_of(auction)}"
    assert feed.link("alternate") == f"{SITE}{auction.url}"
    first = feed.entries[0].findtext(f"{ATOM}updated")
    assert feed.root.findtext(f"{ATOM}updated") == first == "2026-03-02T14:00:00+00:00"


def test_twins_in_a_sealed_round_have_the_same_feed(table: Table) -> None:
    before = Read(feed_of(table)).text
    table.bid("ann", "Z", 3).bid("bob", "Z", 5)
    table.act("cat", "bid", seat="nowhere", amount=1)
    assert Read(feed_of(table)).text == before


def test_results_say_who_won_and_have_ids_that_stay(table: Table) -> None:
    empty = Read("/results.atom")
    assert empty.entries == []
    assert Read("/results.atom").text == empty.text
    table.finish()
    feed = Read("/results.atom")
    assert feed.titles == ["Night table: ann wins"]
    assert feed.ids == [f"tag:127.0.0.1,2026:match/{table.match.public_id}/result"]
    assert feed.entries[0].findtext(f"{ATOM}updated") == table.match.finished_at.isoformat()
    assert Client().get(feed.entries[0].find(f"{ATOM}link").get("href").removeprefix(SITE)).status_code == 200


def test_one_network_address_reads_so_often(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "FEED_READS", Buckets(1, 2, clock=lambda: 0.0))
    assert [Client().get(feed_of(table)).status_code for _ in range(3)] == [200, 200, 429]
