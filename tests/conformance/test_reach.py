"""Random play reaches everything that the other tests are about, and scenarios show each announcement that it meets."""

import os
from collections import Counter

from matches.engine.core import DECISION
from matches.engine.draw import Draw
from tests.conformance.match import Match
from tests.conformance.scenario_files import Told, told_in_scenarios
from tests.conformance.scripts import script
from tests.conformance.subjects import WITH_FOLDERS, Subject, every_subject
from tests.fixtures.chosen import EVERYTHING

SCRIPTS = 36
ENOUGH = 12
"""How many scripts each run plays, each time others; it plays the rest if these did not reach everything."""


def everybody(match: Match) -> None:
    """Let every player's bot act once."""
    for seat, player in enumerate(match.names):
        match.bot(player, Draw(f"{len(match.events)}:{seat}".encode().ljust(32, b".")))


def the_asked(match: Match) -> None:
    """Let bots act once if something is to be decided."""
    if match.state.core.phase == DECISION:
        everybody(match)


def missing_of(subject: Subject, reached: Counter[str]) -> str:
    """Return a sentence about what scripts should have reached and have not, or an empty text."""
    for what in ("finished", "passed by a deadline", "refused", "won", "decided"):
        if not reached[what]:
            return f"in {SCRIPTS} random matches nothing was ever {what}: let bots do more, or more often nothing"
    kinds = [what for what in reached if what.startswith("accepted")]
    return "" if len(kinds) >= min(3, len(subject.game.actions)) else f"bots do too little of what they can: {kinds}"


@every_subject
def test_random_play_reaches_every_corner(subject: Subject) -> None:
    reached: Counter[str] = Counter()
    told: set[Told] = set()
    first = ENOUGH * (int(os.environ["RANDOM_SEED"]) % (SCRIPTS // ENOUGH))
    for turn in range(SCRIPTS):
        if turn == ENOUGH and not EVERYTHING and not missing_of(subject, reached):
            break
        number = (first + turn) % SCRIPTS
        match = Match(subject, number, extra=number % 4, wealth=number * 977)
        # In a game of many rounds no script reaches the decisions. So some matches are played to their end; in others
        # almost nobody acts until it is decided who lost, because those who did nothing are equal.
        hardly_begun = number % 3 == 2
        match.play(script(number, 8 if hardly_begun else 60))
        if number % 3:
            match.run_out(the_asked if hardly_begun else everybody)
        reached[match.state.core.phase] += 1
        match.run_out()
        told |= match.told
        for event in match.events:
            if event.player is None:
                reached["passed by a deadline"] += 1
            elif event.accepted:
                reached[f"accepted {event.raw['type']}"] += 1
            else:
                reached["refused"] += 1
        reached["won"] += bool(match.state.core.winners)
        reached["decided"] += bool(match.state.core.candidates)
    assert not missing_of(subject, reached)
    if subject.game.slug in WITH_FOLDERS:
        own = {(kind, how) for kind, how in told if kind in subject.game.told}
        missing = own - told_in_scenarios(subject.game)
        assert not missing, f"no scenario announces {sorted(missing, key=str)}: add one that comes to it"
