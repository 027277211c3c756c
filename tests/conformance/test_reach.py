"""Random play is no idle play: it gets everywhere that the other tests speak of, and scenarios show what it meets."""

from __future__ import annotations

from collections import Counter

from matches.engine.core import DECISION
from matches.engine.draw import Draw
from tests.conformance.match import Match
from tests.conformance.scenario_files import Told, told_in_scenarios
from tests.conformance.scripts import script
from tests.conformance.subjects import WITH_FOLDERS, Subject, every_subject

SCRIPTS = 36


def everybody(match: Match) -> None:
    """Every player's bot acts once."""
    for seat, player in enumerate(match.names):
        match.bot(player, Draw(f"{len(match.events)}:{seat}".encode().ljust(32, b".")))


def the_asked(match: Match) -> None:
    """Bots act once where something is to be decided."""
    if match.state.core.phase == DECISION:
        everybody(match)


@every_subject
def test_random_play_reaches_every_corner(subject: Subject) -> None:
    reached: Counter[str] = Counter()
    told: set[Told] = set()
    for number in range(SCRIPTS):
        match = Match(subject, number, extra=number % 4, wealth=number * 977)
        # In a game of many rounds no script comes to the decisions. So some are played to their end; and after some
        # that are hardly begun nobody acts until it is decided who lost, for those who did nothing are equal.
        hardly_begun = number % 3 == 2
        match.play(script(number, 8 if hardly_begun else 60))
        if number % 3:
            match.run_out(the_asked if hardly_begun else everybody)
        reached[match.state.core.phase] += 1
        match.run_out()
        told |= match.told
        for event in match.events:
            if event.player is None:
                reached["deadline"] += 1
            elif event.accepted:
                reached[f"accepted {event.raw['type']}"] += 1
            else:
                reached["refused"] += 1
        reached["won"] += bool(match.state.core.winners)
        reached["candidate"] += bool(match.state.core.candidates)
    for what in ("finished", "deadline", "refused", "won", "candidate"):
        assert reached[what], f"no script came to: {what}"
    kinds = [what for what in reached if what.startswith("accepted")]
    assert len(kinds) >= min(3, len(subject.game.actions)), f"only {kinds}"
    if subject.game.slug in WITH_FOLDERS:
        missing = told - told_in_scenarios(subject.game)
        assert not missing, f"no scenario announces {sorted(missing, key=str)}"
