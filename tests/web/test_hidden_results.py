"""“Hide results until I click”: nothing of a result is in a page before its viewer asks for it."""

import re

import pytest

from accounts.models import User
from matches.models.clock import FixedTime
from matches.queries.matches import Position
from tests.fixtures.chosen import one_in
from tests.web.conftest import Browser, Table, browser

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "result/",
    "history/",
    "news/",
    "recap/",
    "log/",
    "rules/",
    "hosts/",
    "talk/",
    "replay/",
)


def hiding(user: User | None = None) -> Browser:
    """A browser whose viewer wants to be asked."""
    client = browser(user)
    client.post("/results/", {"hide": "1"})
    return client


@pytest.fixture
def twins(present: FixedTime, db: None) -> tuple[Table, Table]:
    """Two matches that differ in who has won: ann with 4 on Y, and cat with 3 on it."""
    first = Table(present).open().finish()
    second = Table(present).open()
    second.bid("ann", "Z", 3).bid("bob", "Z", 5).bid("cat", "Y", 3).at(24 * 14)
    winners = [outcome and outcome.winners for outcome in (Position(each.match).outcome for each in (first, second))]
    assert winners == [("ann",), ("cat",)]
    return first, second


def _alike(page: str, table: Table) -> str:
    """A page without what differs each time: ids, tokens, the server's time."""
    varies = r'[A-Za-z0-9]{64}|value="[^"]{30,}"|nonce="[^"]*"|T[\d:.]+\+00:00'
    return re.sub(varies, "", page.replace(table.match.public_id, "ID"))


@pytest.mark.parametrize("who", one_in(2, [None, "eve"]))
def test_pages_of_matches_with_other_winners_are_the_same(twins: tuple[Table, Table], who: str | None) -> None:
    client = hiding(twins[0].users[who] if who else None)
    for page in PAGES:
        first, second = (_alike(client.look(f"{each.url}{page}"), each) for each in twins)
        assert "The result is hidden" in first, page
        assert first == second, page
        assert "og:description" not in first


@pytest.mark.parametrize("who", one_in(2, [None, "eve"]))
def test_pictures_of_matches_with_other_winners_are_the_same(twins: tuple[Table, Table], who: str | None) -> None:
    """At its own address too. A chat that previews a link has chosen nothing, and shows the board."""
    client = hiding(twins[0].users[who] if who else None)
    addresses = [f"{each.url}picture.png?v={each.match.public_version}" for each in twins]
    hidden = [client.get(each) for each in addresses]
    assert hidden[0].content == hidden[1].content
    assert hidden[0]["ETag"] == hidden[1]["ETag"]
    assert hidden[0]["Cache-Control"] == "no-store, private"
    boards = [browser().get(each) for each in addresses]
    assert len({each.content for each in (*boards, hidden[0])}) == 3
    assert "Cookie" in boards[0]["Vary"]
    client.post("/results/show/", {"id": twins[0].match.public_id, "next": "/"})
    assert client.get(addresses[0]).content == boards[0].content
    assert client.get(addresses[1]).content == hidden[1].content
    assert hiding(twins[0].users["ann"]).get(addresses[0]).content == boards[0].content


def test_cards_of_finished_matches_say_nothing_of_them(twins: tuple[Table, Table]) -> None:
    for path in ("/", "/matches/", "/matches/?state=finished"):
        seen, hidden = browser().look(path), hiding().look(path)
        assert "mini__cell--won" in seen
        assert "mini" not in hidden.partition("<main")[2].replace("reminis", "")
        assert hidden.count("The result is hidden.") == 2


def test_one_click_shows_one_match(twins: tuple[Table, Table]) -> None:
    first, second = twins
    client = hiding()
    asked = client.look(f"{first.url}result/")
    sent = dict(re.findall(r'name="(id|next)" value="([^"]*)"', asked))
    assert client.post("/results/show/", sent).headers["Location"] == f"{first.url}result/"
    assert "wins the match" in client.look(f"{first.url}result/")
    assert "The result is hidden" in client.look(second.url)
    assert client.look("/matches/").count("The result is hidden.") == 1
    client.post("/results/", {"hide": "0"})
    assert "The result is hidden" not in client.look(second.url)


def test_a_profile_tells_matches_without_their_ends(twins: tuple[Table, Table]) -> None:
    eve = hiding(twins[0].users["eve"])
    page = eve.look("/people/ann/")
    assert "Results are hidden" in page
    assert "Night table" in page
    for told in ("badge--jade", "Tokens of Life", "candidate", "First win"):
        assert told not in page.partition("<main")[2]
    assert "First win" in eve.look("/people/ann/?results=show")
    assert "First win" in hiding(twins[0].users["ann"]).look("/people/ann/")
