"""What the forms of this game say: before a bid, at a refusal, and to the winner."""

from datetime import timedelta

from matches.models import Submission
from tests.web.conftest import Table, browser

# -- beforehand --------------------------------------------------------------------------------------


def forecast(table: Table, name: str, kind: str, **fields: str) -> str:
    answer = browser(table.users[name]).post(f"{table.url}preview/", {"type": kind, **fields})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_forecast_says_what_would_happen_and_stores_nothing(auction: Table) -> None:
    before = Submission.objects.count(), auction.match.public_version
    good = forecast(auction, "cat", "bid", seat="X", amount="2")
    assert "submission__forecast--good" in good
    assert "2 is free: your bid would stand on X and win it in 24 h" in good
    bad = forecast(auction, "cat", "bid", seat="X", amount="5")
    assert "submission__forecast--bad" in bad
    assert "The lowest that X takes is 1." in bad
    assert "Type a whole number" in forecast(auction, "cat", "bid", seat="X", amount="z")
    assert (Submission.objects.count(), auction.match.public_version) == before


def test_the_forecast_judges_what_is_due_even_if_nobody_has_passed_it_yet(auction: Table) -> None:
    auction.at(30).bid("cat", "X", 2)
    auction.present.instant += timedelta(hours=19)
    assert "Z is won, for 5." in forecast(auction, "cat", "bid", seat="Z", amount="9")


# -- standing raises -----------------------------------------------------------------------------------


def test_a_standing_raise_is_made_with_a_bid_shown_changed_and_withdrawn(auction: Table) -> None:
    cat = browser(auction.users["cat"])
    assert 'name="up_to"' in cat.look(auction.url)
    cat.press(auction.url, "bid", seat="X", amount="2", up_to="9")
    page = cat.look(auction.url)
    assert "Bid 2 on X placed, with a standing raise up to 9," in page
    assert "Standing raise on <strong>X</strong> up to 9" in page
    assert "if you are outbid, you are raised on X up to 9" in page
    cat.press(auction.url, "raise", seat="X", up_to="12")
    assert "Standing raise on <strong>X</strong> up to 12" in cat.look(auction.url)
    cat.press(auction.url, "withdraw_raise", seat="X")
    page = cat.look(auction.url)
    assert "Standing raise on X withdrawn," in page
    assert "Standing raise on <strong>X</strong>" not in page
    assert cat.press(auction.url, "withdraw_raise", seat="X").status_code == 422
