"""The result in the public view."""

import msgspec

from matches.engine.core import FINISHED, Poll
from matches.engine.views import Score, tokens_of_life
from matches.games.together_we_survive.config import GROUPS, A
from matches.games.together_we_survive.rounds import garnets_earned, ranking
from matches.games.together_we_survive.state import SurviveState


class GroupResult(msgspec.Struct, frozen=True):
    """The result in one group, from the end of the play.

    `group`: `A` or `B`. `winners`, `losers`: in list order. `mass_win`: there are too many winners for Tokens of Life.
    `tokens_won`: player -> Tokens of Life won, before gifts. `gifts`: player -> how many of them they must give away;
    to whom is in `decisions` of the public view once everything is decided. `garnets`: player -> garnets earned, with
    zeros. `candidate`: the group's Elimination Candidate, None until decided; `how`: `only_one`, `voted` or `drawn`;
    `ec_votes`: loser -> votes, with zeros; empty until decided, or if nobody had to vote.
    """

    group: str
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    mass_win: bool
    tokens_won: dict[str, int]
    gifts: dict[str, int]
    garnets: dict[str, int]
    candidate: str | None
    how: str
    ec_votes: dict[str, int]


class ResultView(msgspec.Struct, frozen=True):
    """The result of both groups, A first. `tokens_of_life`: player -> how many they hold in the end; empty until
    finished."""

    groups: tuple[GroupResult, ...]
    tokens_of_life: dict[str, int]

    @property
    def a(self) -> GroupResult:
        """The result of group A."""
        return self.groups[0]

    @property
    def b(self) -> GroupResult:
        """The result of group B."""
        return self.groups[1]


def result_view(state: SurviveState) -> ResultView:
    """The part of the result that is public in the current phase. Only for after the play."""
    done = state.core.phase == FINISHED
    return ResultView(
        groups=tuple(_group(state, group) for group in GROUPS),
        tokens_of_life=tokens_of_life(state.core) if done else {},
    )


def _group(state: SurviveState, group: str) -> GroupResult:
    found, decisions = ranking(state, group), state.core.decisions
    poll = next((poll for poll in decisions.polls if poll.key == group), None) if decisions else None
    won = found.tokens_of_life(state.config.mass_win)
    return GroupResult(
        group=group,
        winners=found.winners,
        losers=found.losers,
        mass_win=found.is_mass_win(state.config.mass_win),
        tokens_won=won,
        gifts={player: count - 1 for player, count in won.items() if count > 1},
        garnets=garnets_earned(state, group),
        candidate=poll.result if poll else None,
        how=poll.how if poll else "",
        ec_votes=_ec_votes(poll),
    )


def _ec_votes(poll: Poll | None) -> dict[str, int]:
    """The votes of a decided poll, for each possible candidate, with zeros; empty if nobody had to vote."""
    if poll is None or poll.result is None or not poll.answers:
        return {}
    given = list(poll.answers.values())
    return {option: given.count(option) for option in poll.options}


def score(state: SurviveState) -> Score:
    """The scores and details of a finished match."""
    shown = result_view(state)
    left = {player: state.left[player] for player in state.group(A)}
    tokens = state.final_tokens
    return Score(
        scores={**left, **tokens},
        details={
            **{
                each.group: {
                    "winners": list(each.winners),
                    "losers": list(each.losers),
                    "ec_votes": each.ec_votes,
                }
                for each in shown.groups
            },
            "kicked_out": left,
            "tokens": tokens,
        },
    )
