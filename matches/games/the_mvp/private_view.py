"""The private view: what one player may know beyond the public board, and is asked to do."""

from datetime import timedelta

import msgspec

from matches.engine import purchases
from matches.engine.core import GARNET, PRIORITY, RUNNING, balance, balances
from matches.engine.match_time import seconds
from matches.engine.sealed_rounds import asked_to_seal
from matches.engine.sentences import counted, joined
from matches.engine.views import MatchTime, PrivateView, private_fields, settings_shown
from matches.games.the_mvp.cards import PLACES
from matches.games.the_mvp.rounds import standings
from matches.games.the_mvp.state import CHIP, Bought, MvpState

# -- prompts -------------------------------------------------------------------------------------------


def if_idle(state: MvpState, player: str) -> str:
    """What happens if the player does nothing."""
    if state.core.phase != RUNNING:
        return ""
    box, standing = state.sealed.get(player), state.standing_of(player)
    adds = box.value if box else {}
    text = "If you do nothing, you add no chips"
    if adds:
        added = [f"{amount} to {place}" for place, amount in adds.items()]
        text = f"If you do nothing, the chips that you have sealed count when the round closes: {joined(added)}"
    if standing:
        many = len(standing) > 1
        bids = f"{counted(sum(standing.values()), 'chip')} on {joined(standing)}"
        text = f"{text}; your standing bid{'s' if many else ''} of {bids} still count{'' if many else 's'}"
    chips = {place: standing.get(place, 0) + adds.get(place, 0) for place in PLACES}
    return f"{text}.{_if_claimed(state, player, chips)}"


def _if_claimed(state: MvpState, player: str, chips: dict[str, int]) -> str:
    """A sentence about the player's chips on cards with their team's flag, which are paid if the team claims them."""
    own = state.team_of[player]
    flagged = [place for place, amount in chips.items() if amount and state.flags.get(place) == own]
    if not flagged:
        return ""
    paid = counted(sum(chips[place] for place in flagged), "chip")
    where = "on a card" if len(flagged) > 1 else "on it"
    unless = f"unless the other team then has more {where}"
    return f" Your team claims {joined(flagged)}, and you pay your {paid} there, {unless}."


# -- private view --------------------------------------------------------------------------------------


class OwnBid(msgspec.Struct, frozen=True):
    """The player's chips on a card: `standing` from earlier rounds, `added` in this one, and their sum.

    Cards with bids are face up, so `card` is not a secret.
    """

    place: str
    card: str
    standing: int
    added: int
    total: int


class BidsView(msgspec.Struct, frozen=True):
    """What the player adds in this round. `adds`: place -> chips, in place order. `at`: when they were submitted."""

    adds: dict[str, int]
    at: MatchTime


class OwnClaim(msgspec.Struct, frozen=True):
    """A card that the player's team has claimed. `paid`: the chips that the player paid. `controls`: whether the player
    controls it; if not, they learn only after the play who does."""

    place: str
    card: str
    round: int
    paid: int
    controls: bool


class AnswerView(msgspec.Struct, frozen=True):
    """A question that the player has paid for. `kind`: `identity` asks which card lies at a place, `location` where a
    card lies. `about`: that place or card; `answer`: the card or place, None until round `round` has closed."""

    kind: str
    about: str
    answer: str | None
    round: int
    price: int

    @property
    def place(self) -> str | None:
        """The place in question or answer, if known."""
        return self.about if self.kind == "identity" else self.answer

    @property
    def card(self) -> str | None:
        """The card in question or answer, if known."""
        return self.about if self.kind == "location" else self.answer


class OwnRound(msgspec.Struct, frozen=True):
    """A player's round that is over: place -> chips added, returned, and paid for claimed cards."""

    round: int
    added: dict[str, int]
    returned: dict[str, int]
    paid: dict[str, int]


class MvpPrivate(PrivateView, frozen=True, kw_only=True):
    """The player's chips, bids, claims and answers.

    `chips`: all that the player owns; `standing` of them lie on cards since earlier rounds, `free` are the others, of
    which `added` are bid in this round and `unused` are not. `bids`: those of this round, or None. `on_cards`: the
    player's chips by card, in place order. `claims`: the team's claimed cards. `score`: the player's own points if the
    play ended now. `answers`: the player's questions, in order. `affordable`: how many chips the player could buy.
    """

    team: str
    mates: tuple[str, ...]
    chips: int
    standing: int
    free: int
    added: int
    unused: int
    garnets: int
    priority: int
    bids: BidsView | None
    on_cards: tuple[OwnBid, ...]
    claims: tuple[OwnClaim, ...]
    score: int
    answers: tuple[AnswerView, ...]
    past: tuple[OwnRound, ...]
    may_bid: bool
    may_ask_identity: bool
    may_ask_location: bool
    affordable: int
    chip_price: int
    identity_price: int
    location_price: int

    @property
    def controlled(self) -> tuple[OwnClaim, ...]:
        """The claimed cards that the player controls."""
        return tuple(claim for claim in self.claims if claim.controls)

    @property
    def known(self) -> dict[str, str]:
        """Place -> card, from the answers that the player has received."""
        return {each.place: each.card for each in self.answers if each.place is not None and each.card is not None}

    @property
    def pending(self) -> tuple[AnswerView, ...]:
        """The questions of this round, whose answers come when it closes."""
        return tuple(each for each in self.answers if each.answer is None)


def private_view(state: MvpState, player: str, now: timedelta | None = None) -> MvpPrivate:
    """The private view of a player."""
    core, config = state.core, state.config
    is_open = core.phase == RUNNING
    asked = asked_to_seal(state, player, f"You can add chips to the cards of round {state.round}.")
    chips, standing = balance(core.purses, player, CHIP), sum(state.standing_of(player).values())
    box = state.sealed.get(player)
    added = sum(box.value.values()) if box else 0
    team_of = state.team_of
    return MvpPrivate(
        **private_fields(core, player, asked, if_idle(state, player), now),
        **settings_shown(config, "chip_price", "identity_price", "location_price"),
        team=team_of[player],
        mates=tuple(each for each, team in team_of.items() if team == team_of[player] and each != player),
        chips=chips,
        standing=standing,
        free=chips - standing,
        added=added,
        unused=chips - standing - added,
        **balances(core.purses, player, garnets=GARNET, priority=PRIORITY),
        bids=BidsView(box.value, seconds(box.at)) if box else None,
        on_cards=_on_cards(state, player),
        claims=_claims(state, player),
        score=standings(state).scores[player],
        answers=tuple(_answer(state, each) for each in state.bought if each.player == player),
        past=_past(state, player),
        may_bid=is_open,
        may_ask_identity=is_open and purchases.can_pay(core, player, config.identity_price),
        may_ask_location=is_open and purchases.can_pay(core, player, config.location_price),
        affordable=purchases.affordable(core, player, CHIP, config.chip_price) if is_open else 0,
    )


# -- bids and claims ---------------------------------------------------------------------------


def _on_cards(state: MvpState, player: str) -> tuple[OwnBid, ...]:
    box, standing = state.sealed.get(player), state.standing_of(player)
    adds = box.value if box else {}
    found = []
    for place in PLACES:
        stands, added = standing.get(place, 0), adds.get(place, 0)
        if stands or added:
            found.append(OwnBid(place, state.deck[place], stands, added, stands + added))
    return tuple(found)


def _claims(state: MvpState, player: str) -> tuple[OwnClaim, ...]:
    claimed = state.claimed_by(state.team_of[player])
    return tuple(
        OwnClaim(
            place=place,
            card=state.deck[place],
            round=state.claims[place].round,
            paid=state.claims[place].paid.get(player, 0),
            controls=state.claims[place].controller == player,
        )
        for place in claimed
    )


def _answer(state: MvpState, bought: Bought) -> AnswerView:
    about, answer = bought.place, bought.card
    if bought.kind == "location":
        about, answer = answer, about
    told = bought.round <= len(state.closed)
    return AnswerView(bought.kind, about, answer if told else None, bought.round, bought.price)


def _past(state: MvpState, player: str) -> tuple[OwnRound, ...]:
    rounds = []
    for number, closed in enumerate(state.closed, 1):
        paid = {
            place: state.claims[place].paid[player] for place in closed.claimed if player in state.claims[place].paid
        }
        rounds.append(OwnRound(number, closed.adds.get(player, {}), closed.returned.get(player, {}), paid))
    return tuple(rounds)
