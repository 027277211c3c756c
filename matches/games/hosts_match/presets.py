"""What to begin from: an auction over three rounds, a secret vote with numbers, or nothing."""

from collections.abc import Mapping
from typing import Any

_AUCTION = """Three paintings are sold, one per round. You have 20 coins for all of them.

- Seal one bid in each round: whole coins, 0 for none.
- The highest bidder pays their bid and gets the painting. If the highest bids are equal, nobody gets it or pays.
- Bids are shown with names once the round is judged.

**The player with the most paintings wins**, or in a tie, with more coins left. The winner gets two Tokens of Life.
Of those without a painting, the player with the most coins left is the Elimination Candidate.
"""


def _sale(title: str, text: str) -> dict[str, Any]:
    bid = {"key": "bid", "ask": "How many coins do you bid?", "kind": "number", "least": 0, "most": 20}
    return {"title": title, "text": text, "questions": [bid]}


_VOTE = """Everybody names a number and a player, in secret.

- The number counts only if nobody else names it. The lowest such number wins a point.
- The player with the most votes loses a point, if they have one. Hosts show the number of votes, but no names.

**The player with the most points after two rounds wins** and gets a Token of Life. The winners vote for
the Elimination Candidate.
"""


def _ballot(title: str) -> dict[str, Any]:
    number = {"key": "number", "ask": "Your number", "kind": "number", "least": 1, "most": 20}
    vote = {"key": "vote", "ask": "Who should lose a point?", "kind": "player"}
    word = {"key": "word", "ask": "A word to the hosts", "kind": "text", "longest": 200, "optional": True}
    return {"title": title, "questions": [number, vote, word]}


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "A sealed auction over three rounds": {
        "rules": _AUCTION.strip(),
        "assets": [{"name": "coin", "start": 20}, {"name": "painting", "shown": "public"}],
        "rounds": [
            _sale("The harbour", "A small painting in oil, a little dark."),
            _sale("The card players", "Four people at a table. One of them is cheating."),
            _sale("The empty chair", "The last one."),
        ],
    },
    "A secret vote with numbers": {
        "rules": _VOTE.strip(),
        "assets": [{"name": "point", "shown": "public"}],
        "rounds": [_ballot("First vote"), _ballot("Second vote")],
    },
    "From scratch": {},
}
