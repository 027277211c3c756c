"""What a player reads when they have placed a number."""

from matches.games.black_and_white.tests.at_table import AtTable
from matches.models import clock
from tests.web.conftest import browser


def read(at_table: AtTable, who: str, points: int) -> str:
    client = browser(at_table.users[who])
    answer = client.press(at_table.match.get_absolute_url(), "place", htmx=True, points=str(points))
    return " ".join(answer.content.decode().partition('data-part="')[0].split())


def test_whoever_places_second_reads_who_won_the_round(db: None, present: clock.FixedTime) -> None:
    at_table = AtTable(present)
    assert "wins round" not in read(at_table, "ann", 11)
    assert "Ann wins round 1." in read(at_table, "bob", 9)
    assert "round 1" not in read(at_table, "ann", 8), "that is known by now"
    assert "Nobody wins round 2." in read(at_table, "bob", 8)
