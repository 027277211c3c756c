"""The settings of The MVP."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY
from matches.engine.sealed_rounds import InRounds
from matches.engine.sentences import joined
from matches.engine.settings import Data, Roster, Span, Whole, on_credit, time_to_decide
from matches.games.the_mvp.cards import CARDS, PLACES

TEAMS = ("red", "green")
TEAM_SIZE = 3
PLAYERS = TEAM_SIZE * len(TEAMS)

MOST_ROUNDS = 100


class Deck(Data, frozen=True, kw_only=True):
    """Place -> card, each of the 24 cards once; or None. Errors name all places that are wrong."""

    def read(self, raw: object) -> dict[str, str] | None:
        if raw is None:
            return None
        if not isinstance(raw, Mapping):
            raise self.refuse(f'expected an object with a card for each place, such as {{"A": "{CARDS[0]}", …}}')
        wrong = {str(place)[:20]: "there is no such place" for place in raw if place not in PLACES}
        found: dict[str, str] = {}
        for place in PLACES:
            named = raw.get(place)
            if fault := _fault(named, found):
                wrong[place] = fault
            else:
                found[place] = str(named)
        if wrong:
            raise self._refusal(wrong)
        return found

    def _refusal(self, wrong: Mapping[str, str]) -> ConfigError:
        """An error that lists everything that is wrong (place -> fault), with the key of the first place."""
        (first, said), *rest = wrong.items()
        empty = [place for place, fault in rest if fault == _MISSING]
        faults = [said, *(f"{place}: {fault}" for place, fault in rest if fault != _MISSING)]
        if empty:
            faults.append(f"no card is named for {joined(empty)}")
        expected = f"each place from {PLACES[0]} to {PLACES[-1]} needs one of {CARDS[0]} to {CARDS[-1]}"
        return ConfigError(f"{self.key}.{first}", f"{'; '.join(faults)}; {expected}, each card once")


_MISSING = "its card is missing"


def _fault(named: object, before: Mapping[str, str]) -> str:
    """What is wrong with a place's card, given the cards at the places before it; empty if nothing is."""
    if named is None:
        return _MISSING
    if not isinstance(named, str) or named not in CARDS:
        return f"{str(named)[:20]} is not a card of this game"
    return next((f"{named} is already on {place}" for place, taken in before.items() if taken == named), "")


class Config(InRounds, frozen=True, kw_only=True):
    """The settings of a match.

    `deck`: place -> card for all 24, or None to draw it. Only hosts may see it, because it shows hidden cards.
    """

    chips: Annotated[int, Whole("Chips", "What each player starts with.")] = 30
    first_round: Annotated[timedelta, Span("First round", "How long the first round lasts.", positive=True)] = 2 * DAY
    max_rounds: Annotated[
        int,
        Whole(
            "Most rounds",
            "Play ends after this many rounds at the latest. In the last one, players can bid only on exposed cards.",
            minimum=1,
            maximum=MOST_ROUNDS,
        ),
    ] = 13
    chip_price: Annotated[int, Whole("Price of a chip", "In garnets.")] = 1
    identity_price: Annotated[
        int, Whole("Price of an identity", "In garnets, for learning which card lies in a place.")
    ] = 1
    location_price: Annotated[int, Whole("Price of a location", "In garnets, for learning where a card lies.")] = 2
    points_per_garnet: Annotated[
        int,
        Whole("Points per garnet", "How many points of their team earn a player 1 garnet.", minimum=1),
    ] = 5
    deck: Annotated[
        dict[str, str] | None,
        Deck(
            "Deck",
            "A card for each place. If you leave this empty, the site draws the cards. Players see a card only when "
            "it lies face up, but everybody learns that you have set the deck.",
            draw="the deck",
        ),
    ] = None
    garnet_credit: Annotated[bool, on_credit("purchases of chips and answers")] = False
    decision_time: Annotated[
        timedelta, time_to_decide("voting for the Elimination Candidate, and again for giving a Token of Life")
    ] = DAY

    def unusual(self, roster: Roster) -> tuple[str, ...]:
        if self.max_rounds > 1:
            return ()
        return ("A team claims a card at least one round after flagging it, so with one round nobody can claim any.",)
