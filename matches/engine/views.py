"""Views: what each viewer may be shown of a match.

Views hold only what their viewer may know. Match times are seconds since the opening (a float if not whole), amounts
are whole numbers. Templates, JSON and live updates are made from views, never from a state.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, NamedTuple

import msgspec

from matches.engine.core import DECISION, FINISHED, PRIORITY, TOL, Core, Decisions, Gift, Phase, Poll, balance
from matches.engine.match_time import optional_seconds, seconds
from matches.engine.polls import ACTION, awaits, counts, eligible_now
from matches.engine.settings import Settings

MatchTime = int | float
"""Match time in seconds since the opening."""


class PlayerLine(msgspec.Struct, frozen=True):
    """A player as everyone sees them. `priority` is the current balance, which is public so that everyone can see who
    goes first."""

    handle: str
    team: str | None = None
    priority: int = 0


class PollView(msgspec.Struct, frozen=True):
    """A poll as everyone may see it: who decides and, once decided, the result and the counts."""

    key: str
    kind: str
    deciders: tuple[str, ...]
    result: str | None
    how: str
    votes: dict[str, int]


class GiftView(msgspec.Struct, frozen=True):
    """A gift as everyone may see it. `to` is None until the gift is made or, if it is secret, until the end."""

    giver: str
    count: int
    to: tuple[str, ...] | None
    drawn: bool


class DecisionsView(msgspec.Struct, frozen=True):
    """The decisions after the play. `closes` is when the current window ends, None when all is decided."""

    closes: MatchTime | None
    polls: tuple[PollView, ...]
    gifts: tuple[GiftView, ...]

    @property
    def sole_voters(self) -> tuple[str, ...]:
        """The players who are the only voter of a poll, so that its result reveals their vote."""
        return tuple(poll.deciders[0] for poll in self.polls if poll.kind == "vote" and len(poll.deciders) == 1)


class Ask(msgspec.Struct, frozen=True):
    """Something that this player may do.

    `kind` is the action's type; `text` one or more sentences; `until` the match time at which it ends.
    For decisions, `options` lists whom the player may choose, and `count` how many of them.
    """

    kind: str
    text: str
    until: MatchTime | None = None
    options: tuple[str, ...] = ()
    count: int = 1
    is_due: ClassVar[bool] = False

    @property
    def what(self) -> str:
        """The first sentence of the text: what to do, without the explanations. It begins with “You can” if not due."""
        what = self.text.partition(". ")[0].removesuffix(".") + "."
        return what if self.is_due or what.startswith("You can ") else f"You can {what[0].lower()}{what[1:]}"


class Due(Ask, frozen=True):
    """Something that this player must do: if they do not, it is drawn or done for them."""

    is_due: ClassVar[bool] = True


class HostsAsk(msgspec.Struct, frozen=True):
    """What a match waits for its hosts to do: a sentence, since when it waits, and when to remind the hosts."""

    text: str
    since: MatchTime
    until: MatchTime


class Decided(msgspec.Struct, frozen=True):
    """A private decision that this player has made (or that was drawn for them), and whom it names.

    `kind` is the action's type.
    """

    kind: str
    players: tuple[str, ...]
    drawn: bool = False


class WhoLeads(msgspec.Struct, frozen=True):
    """Who is ahead, as far as everybody can see. `leaders` holds all who are level, or nobody. `why` follows “Ann
    leads:”, such as “2 rounds won”, or stands alone if nobody leads, such as “Nobody has won a round yet”. `lines`:
    handle -> how they stand, for players about whom there is something to say."""

    leaders: tuple[str, ...] = ()
    why: str = ""
    lines: dict[str, str] = {}


class PublicView(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What everyone may know of any match. Games extend it with fields, which make up its JSON and its schema, and with
    properties made from these, for templates; `cached_property` for what each player's part of the page asks for."""

    phase: Phase
    players: tuple[PlayerLine, ...]
    next_deadline: MatchTime | None
    winners: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    decisions: DecisionsView | None = None

    @property
    def has_result(self) -> bool:
        """Whether it is known who has won: play is over and, if hosts decide who has won, they have said it."""
        return self.phase == FINISHED or (self.phase == DECISION and self.decisions is not None)

    @property
    def who_leads(self) -> WhoLeads:
        """Who is ahead, for templates; not part of the JSON."""
        return WhoLeads()

    @property
    def ranking(self) -> dict[str, int]:
        """Player -> place, 1 for the best, by what decides who wins; empty if the rules rank only winners. Not part of
        the JSON."""
        return {}

    def end_of(self, handle: str) -> str:
        """How the match ended for one player, in a few words, once it is over."""
        said = ["You won."] if handle in self.winners else []
        said += ["You are the Elimination Candidate."] if handle in self.candidates else []
        if handle in self.ranking and not said:
            said = [f"You finished number {self.ranking[handle]} of {len(self.ranking)}."]
        return " ".join(said) or "You did not win, and you are not the Elimination Candidate."


class PrivateView(msgspec.Struct, frozen=True, kw_only=True):
    """What one player may know beyond the public view. Games extend it.

    `balances`: the player's own, by asset. `asked`: what the player is asked to do now; hosts see whether anything is,
    so it must not depend on what they may not know. `decided`: the player's own votes and gifts, secret ones too.
    `if_idle`: a sentence on what happens if the player does nothing.
    """

    handle: str
    balances: dict[str, int]
    asked: tuple[Ask, ...] = ()
    decided: tuple[Decided, ...] = ()
    if_idle: str = ""

    @property
    def can_always(self) -> str:
        """A sentence about what this player can do although nothing asks for it, or empty. Not in the JSON."""
        return ""


def places_by(keys: Mapping[str, Any]) -> dict[str, int]:
    """Handle -> place by `keys` (handle -> sort key): 1 for the greatest, and the same place for equal keys."""
    return {handle: 1 + sum(other > key for other in keys.values()) for handle, key in keys.items()}


class Progress(NamedTuple):
    """Where a match stands, in a few words for a title: `Round 2 of 4`. `until`: what the next deadline does, as words
    that precede its time, such as `closes`; empty if no deadline is to come."""

    where: str
    until: str


class Remedy(msgspec.Struct, frozen=True):
    """An action that would make a refused one possible: its type, the value of its one field, and a button's words."""

    type: str
    field: str
    value: int
    words: str


class Outcome(msgspec.Struct, frozen=True):
    """The result of a finished match, as published."""

    winners: tuple[str, ...]
    tokens_of_life: dict[str, int]
    elimination_candidates: tuple[str, ...]
    scores: dict[str, Any]
    details: dict[str, Any]


class Score(NamedTuple):
    """What a match type publishes about a finished match: `scores` by player, and `details` of its own."""

    scores: Mapping[str, Any]
    details: Mapping[str, Any]


def public_fields(core: Core, next_deadline: timedelta | None) -> dict[str, Any]:
    """The fields that every public view begins with."""
    return {
        "phase": core.phase,
        "players": tuple(
            PlayerLine(entrant.handle, entrant.team, balance(core.purses, entrant.handle, PRIORITY))
            for entrant in core.roster
        ),
        "next_deadline": optional_seconds(next_deadline),
        "winners": core.winners,
        "candidates": core.candidates,
        "decisions": _decisions_view(core),
    }


def settings_shown(config: Settings, *names: str) -> dict[str, Any]:
    """The named settings (or properties of the config), for a view with fields of the same names; spans in seconds."""
    values = {name: getattr(config, name) for name in names}
    return {name: seconds(each) if isinstance(each, timedelta) else each for name, each in values.items()}


def private_fields(
    core: Core, player: str, asked: tuple[Ask, ...], if_idle: str, now: timedelta | None
) -> dict[str, Any]:
    """The fields that every private view begins with. `asked` and `if_idle` are used during the play; after it, both
    are about the decisions that are still open. If `now` is given, whatever has ended by then is no longer asked."""
    if core.phase in (DECISION, FINISHED):
        asked = _decisions_asked(core, player)
        if_idle = _DECISION_IF_IDLE if asked else ""
    if now is not None:
        asked = tuple(ask for ask in asked if ask.until is None or timedelta(seconds=ask.until) > now)
    return {
        "handle": player,
        "balances": dict(core.purses.get(player, {})),
        "asked": asked,
        "decided": _own_decisions(core, player),
        "if_idle": if_idle,
    }


def tokens_of_life(core: Core) -> dict[str, int]:
    """How many Tokens of Life each player holds, in list order; players without any are left out."""
    held = {handle: balance(core.purses, handle, TOL) for handle in core.handles}
    return {handle: count for handle, count in held.items() if count}


def _decisions_view(core: Core) -> DecisionsView | None:
    """What everyone may know of the decisions: never whom one may choose, nor who voted how."""
    decisions = core.decisions
    if decisions is None:
        return None
    done = core.phase == FINISHED
    return DecisionsView(
        closes=None if done else seconds(decisions.closes),
        polls=tuple(_poll_view(poll) for poll in decisions.polls),
        gifts=tuple(_gift_view(gift, decisions, done) for gift in decisions.gifts),
    )


def _poll_view(poll: Poll) -> PollView:
    votes = counts(poll) if poll.kind == "vote" and poll.result is not None else {}
    return PollView(poll.key, poll.kind, poll.deciders, poll.result, poll.how, votes)


def _gift_view(gift: Gift, decisions: Decisions, done: bool) -> GiftView:
    hidden = decisions.secret_gifts and not done
    return GiftView(gift.giver, gift.count, None if hidden else gift.to, gift.drawn and not hidden)


_QUESTIONS = {
    "name": "Name the Elimination Candidate.",
    "vote": "Vote for the Elimination Candidate. Your vote stays private.",
}


def _decisions_asked(core: Core, player: str) -> tuple[Ask, ...]:
    """The decisions that this player is asked to make now."""
    decisions = core.decisions
    if decisions is None or core.phase != DECISION:
        return ()
    asked = []
    until = seconds(decisions.closes)
    for poll in decisions.polls:
        if awaits(poll, player):
            text = _QUESTIONS[poll.kind]
            asked.append(Due(ACTION[poll.kind], text, until, poll.options))
    for gift in decisions.gifts if decisions.gifts_open else ():
        if gift.giver == player and gift.to is None:
            text = f"Give {gift.count} of your Tokens of Life away, each to a different player."
            if gift.count == 1:
                text = "Give one of your Tokens of Life away."
            asked.append(Due("give_tokens", text, until, eligible_now(core, gift), gift.count))
    return tuple(asked)


def _own_decisions(core: Core, player: str) -> tuple[Decided, ...]:
    """What this player has decided after the play; no other player may see it."""
    decisions = core.decisions
    if decisions is None:
        return ()
    answers = tuple(
        Decided(ACTION[poll.kind], (poll.answers[player],), player in poll.drawn)
        for poll in decisions.polls
        if player in poll.answers
    )
    gifts = tuple(
        Decided("give_tokens", gift.to, gift.drawn)
        for gift in decisions.gifts
        if gift.giver == player and gift.to is not None
    )
    return answers + gifts


_DECISION_IF_IDLE = "If you do nothing, your decision is drawn at random when the window ends."
