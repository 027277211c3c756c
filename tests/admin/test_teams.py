"""Teams: by select in the table of players, or everybody's at once by a button."""

from typing import Any

import pytest

from matches.games.registry import all_games
from matches.models import Match
from matches.services.creation import create_match
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db

HANDLES = ("ann", "bob", "cat", "dan", "eve")


def team_games() -> list[Any]:
    return [pytest.param(slug, id=slug) for slug, game in all_games().items() if game.teams]


def draft_of(slug: str, host: Any) -> Match:
    match = create_match(slug, "Two camps", hosts=(host,), config={})
    change_players(match, host, [PlayerChange(None, {"handle": handle}) for handle in HANDLES])
    return match


def teams_of(match: Match) -> str:
    """The number of each player's team, in list order."""
    return "".join(str(match.rules.teams.index(player.team)) for player in match.players.order_by("position"))


def send(console: Console, match: Match, **fields: Any) -> str:
    """The table as it stands, by one of its buttons."""
    console.match = match
    rows = [{"player": player.pk, "handle": player.handle, "team": player.team} for player in match.players.all()]
    data: dict[str, Any] = {"players-TOTAL_FORMS": len(rows), "players-INITIAL_FORMS": 0}
    for number, row in enumerate(rows):
        data |= {f"players-{number}-{key}": value for key, value in row.items()}
    return console.client.post(f"{console.address}/change/", data | fields, follow=True).content.decode()


@pytest.mark.parametrize("slug", team_games())
@pytest.mark.parametrize(("way", "expected"), [("alternating", "01010"), ("halves", "00011")])
def test_a_button_puts_everybody_into_the_games_teams(
    console: Console, host: Any, slug: str, way: str, expected: str
) -> None:
    match = draft_of(slug, host)
    page = send(console, match, teams=way)
    assert teams_of(match) == expected
    assert f'<option value="{match.rules.teams[0]}" selected' in page
    assert f"changed ann (team: nothing → {match.rules.teams[0]})" in page
