"""The smallest match type at the site: it is registered, and played through the pages to its end."""

from typing import Any

import pytest
from django.urls import get_resolver

from matches.games import registry
from matches.models import clock
from tests.example_game import GAME
from tests.games.site_table import SiteTable
from tests.web.conftest import browser, sure


class Auction(SiteTable):
    """ann, bob and cat may bid on the lot."""

    game = GAME
    title = "A small auction"
    players = ("ann", "bob", "cat")

    def sends(self, who: str, **fields: str) -> Any:
        """One of the players sends a form of the page."""
        return browser(self.users[who]).post(f"{self.url}act/", {**fields, **sure(fields)}, follow=True)

    def page(self, name: str = "", who: str | None = None) -> str:
        answer = browser(self.users[who] if who else None).get(self.url + name)
        assert answer.status_code == 200
        return str(answer.content.decode())


@pytest.fixture
def auction(db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> Auction:
    assert get_resolver().url_patterns  # views that are imported later would keep what is patched here
    games = {**registry.all_games(), GAME.slug: GAME}
    monkeypatch.setattr(registry, "all_games", lambda: games)
    return Auction(present)


def test_a_match_is_played_through_the_pages(auction: Auction) -> None:
    assert "Chips" in auction.page(who="ann")
    assert "The highest sealed bid wins it." in auction.page()
    refused = auction.sends("ann", type="bid", amount="11")
    assert (refused.status_code, "bid so many at most" in refused.content.decode()) == (422, True)
    auction.sends("ann", type="bid", amount="4")
    auction.sends("bob", type="bid", amount="3")
    assert "your bid of 4 counts" in auction.page(who="ann")
    auction.at(24)
    assert "Sold to" in auction.page()
    auction.sends("ann", type="name_candidate", player="cat")
    assert auction.match.status == "finished"
    result = auction.page("result/")
    assert "Scores" in result
    assert "Cat" in result
