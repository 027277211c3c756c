"""What the forms of this game say: before a bid, at a refusal, and to the winner."""

from datetime import timedelta

from tests.web.conftest import Table, browser

# -- beforehand --------------------------------------------------------------------------------------


def forecast(table: Table, name: str, kind: str, **fields: str) -> str:
    answer = browser(table.users[name]).post(f"{table.url}preview/", {"type": kind, **fields})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_forecast_judges_what_is_due_even_if_nobody_has_passed_it_yet(auction: Table) -> None:
    auction.at(30).bid("cat", "X", 2)
    auction.present.instant += timedelta(hours=19)
    assert "Z is won, for 5." in forecast(auction, "cat", "bid", seat="Z", amount="9")


# -- standing raises -----------------------------------------------------------------------------------
