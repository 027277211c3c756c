"""The match type: it fulfils the contract of `matches.engine.game`."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from matches.engine.core import RUNNING
from matches.engine.draw import Draw
from matches.engine.game import Game, opening_core
from matches.engine.settings import Roster, Sizes
from matches.engine.step import Step
from matches.engine.views import Progress
from matches.games.hosts_match import answers, bots, rounds, story, views
from matches.games.hosts_match.answers import may_answer
from matches.games.hosts_match.config import Config
from matches.games.hosts_match.state import ACTIONS, HOST_ACTIONS, JUDGING, HostState
from matches.games.hosts_match.views import HostPrivate, HostPublic

# -- presets ---------------------------------------------------------------------------------------------

_AUCTION = """The hosts sell three paintings, one per round. You have 20 coins for all of them.

- Seal one bid in each round: whole coins, 0 for none.
- The highest bidder pays their bid and gets the painting. If the highest bids tie, nobody gets it and nobody pays.
- The hosts show all bids with names once they have judged the round.

**The player with the most paintings wins**; in a tie, the one with more coins left. The winner gets two Tokens of Life.
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


# -- the game --------------------------------------------------------------------------------------------


class HostsMatch(Game[Config, HostState, HostPublic, HostPrivate]):
    """Sealed questions round by round, which the hosts judge by hand."""

    slug = "hosts_match"
    title = "Host's Match"
    summary = (
        "A game of the host's own, with sealed answers. The host writes the rules, asks questions round by round, and "
        "judges the answers by hand."
    )
    sizes = Sizes(least=2, most=60, usual=(4, 12))
    uses_priority = True
    presets = PRESETS
    demo_match_numbers = {"decision": 6}  # the stand-in host seldom draws the wanted person as winner
    actions = ACTIONS
    moves = answers.MOVES
    host_actions = HOST_ACTIONS
    host_moves = rounds.HOST_MOVES
    host_acts = story.HOST_ACTS
    possible = answers.POSSIBLE
    refusals = {**answers.REFUSALS, **rounds.REFUSALS}
    secret_for_ever = frozenset({"vote", "answer", "withdraw"})
    read_by_hosts = frozenset({"answer", "withdraw"})
    told = story.TOLD

    # -- play ------------------------------------------------------------------------------------

    def open(self, config: Config, roster: Roster, draw: Draw) -> Step[HostState]:
        stock = {asset.name: asset.start for asset in config.assets}
        core, turn = opening_core(roster, garnet_credit=config.garnet_credit, phase=RUNNING, stock=stock)
        return turn.step(rounds.opened(turn, HostState(core=core, config=config)))

    play_deadline = staticmethod(rounds.deadline)
    advance = staticmethod(rounds.advance)

    def own_assets(self, config: Config) -> Sequence[str]:
        return config.asset_names

    def bots_look_every(self, config: Config) -> timedelta:
        # A round may be short, and opens whenever the host has posted the previous result.
        return timedelta(seconds=30)

    def sealed(self, state: HostState) -> Mapping[str, Any] | None:
        """Player -> answers while a round asks anybody anything; otherwise None."""
        if not any(may_answer(state, player) for player in state.core.handles):
            return None
        return {player: msgspec.to_builtins(box.value) for player, box in state.sealed.items()}

    # -- hosts -----------------------------------------------------------------------------------

    hosts_asked = staticmethod(views.hosts_asked)
    host_view = staticmethod(views.host_view)
    host_words = staticmethod(story.host_words)
    host_play = staticmethod(bots.host_play)

    def is_rehearsed(self, state: HostState) -> bool:
        return state.stage == JUDGING and state.is_last

    # -- views -----------------------------------------------------------------------------------

    def public_view(self, state: HostState) -> HostPublic:
        return views.public_view(state, self.next_deadline(state))

    def progress_of_play(self, view: HostPublic) -> Progress:
        where = f"Round {view.round} of {view.rounds}"
        if view.stage == JUDGING:
            return Progress(f"{where}, being judged", "")
        return Progress(where, "closes" if view.current else "opens")

    def lots(self, view: HostPublic, kind: str, field: str) -> Sequence[str]:
        is_asked = view.current is not None and field == "answers"
        return tuple(each.key for each in view.current.questions) if view.current and is_asked else ()

    private_view = staticmethod(views.private_view)
    score = staticmethod(views.score)
    story = staticmethod(story.story)
    bot_play = staticmethod(bots.action)
