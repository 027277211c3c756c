"""What a page of sixty players weighs: whatever each row costs is there sixty times, and the rounds add to it."""

from __future__ import annotations

import gzip

import pytest

from matches.games.together_we_survive.tests.at_table import AtTable
from matches.models import clock
from tests.web.conftest import browser

MOST, MOST_COMPRESSED = 120_000, 25_000
HASHED = 150 * 13  # collected files have a hash in their names, and the page about so many


class Sixty(AtTable):
    """Half of them are on stage and vote for themselves, all but two, who leave it."""

    title = "Sixty"
    players = tuple(f"player{number}" for number in range(60))

    def play(self, rounds: int) -> Sixty:
        """So many rounds are over, and the first player has sealed votes of both kinds in the present one."""
        for number in range(rounds + 1):
            for who in self.players[: 28 - 2 * number]:
                self.on_stage(who, **{who: 1})
            self.for_b(self.players[30], **dict.fromkeys(self.players[31 + number : 34 + number], 1))
            if number < rounds:
                self.at(48 + 24 * number)
        return self.for_b(self.players[0], **dict.fromkeys(self.players[31:34], 1))


@pytest.mark.parametrize("rounds", [0, 9, 13])
def test_a_page_of_sixty_players_is_light(db: None, present: clock.FixedTime, rounds: int) -> None:
    table = Sixty(present, tokens_a=20).play(rounds)
    for who in (None, table.players[0], table.players[30]):
        page = browser(table.users[who] if who else None).get(table.url).content
        assert b">59<" in page or b"player59" in page
        assert len(page) + HASHED <= MOST, who
        assert len(gzip.compress(page)) <= MOST_COMPRESSED, who
