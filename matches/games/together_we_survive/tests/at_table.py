"""A match in a theatre at the site: six people are in group A and five in group B."""

from __future__ import annotations

from matches.games.together_we_survive import GAME
from matches.games.together_we_survive.tests.table import LENGTHS, elect, give, vote_a, vote_b
from tests.games.site_table import SiteTable

GROUP_A = ("ann", "bob", "cat", "dan", "eve", "flo")
GROUP_B = ("gus", "hal", "ida", "jon", "kim")
PLAYERS = (*GROUP_A, *GROUP_B)


class AtTable(SiteTable):
    """Otto hosts, and zoe has an account. Everybody brings a garnet but bob."""

    game = GAME
    lengths = LENGTHS
    title = "Theatre"
    players = PLAYERS
    host = "otto"
    stranger = "zoe"

    def brings(self, who: str) -> dict[str, int]:
        return {"garnets": 0 if who == "bob" else 1}

    def on_stage(self, who: str, **votes: int) -> AtTable:
        return self.act(who, vote_a(**votes))

    def for_b(self, who: str, **votes: int) -> AtTable:
        return self.act(who, vote_b(**votes))

    def one_round(self) -> AtTable:
        """Round 1 is over: dan, eve and flo have left; kim had the most votes, gus gained 2 tokens and hal 1."""
        self.on_stage("ann", ann=2).on_stage("bob", bob=1).on_stage("cat", cat=1)
        self.for_b("dan", gus=2, hal=1).for_b("eve", kim=3).for_b("flo", kim=3)
        return self.at(48)

    def played(self) -> AtTable:
        """The play is over: bob and cat left in round 2, ann alone in round 3.

        Ann has two Tokens of Life to give to two of three, and votes for bob or cat; gus, who won group B, votes for
        ida, jon or kim, and his only gift goes to hal.
        """
        return self.one_round().on_stage("ann", ann=1).at(72)

    def decided(self) -> AtTable:
        """The match is finished."""
        self.played().act("gus", elect("jon")).act("ann", give("eve", "flo"))
        return self.act("ann", elect("cat"))
