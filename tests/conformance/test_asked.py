"""What players are asked, which makes reminders and calendars: each request has an end, and is over once it is done."""

from datetime import timedelta

from matches.engine.draw import Draw
from matches.engine.views import Ask
from tests.conformance.match import Match
from tests.conformance.scripts import script
from tests.conformance.subjects import Subject, every_subject


@every_subject
def test_who_has_submitted_is_asked_nothing_and_every_request_ends_later(subject: Subject) -> None:
    were_asked: list[Ask] = []

    def look_and_act(match: Match) -> None:
        were_asked.extend(look(match))
        match.wait(chance(match, 0))
        were_asked.extend(look(match))
        for seat, player in enumerate(match.names):
            if (len(match.events) + seat) % 3:
                match.bot(player, chance(match, seat))
        look(match)

    for seed in range(3):
        Match(subject, seed, extra=seed).play(script(seed, 10 * seed)).run_out(look_and_act)
    assert were_asked, (
        "nobody was ever asked for anything: private_view should ask for each move (private_fields, asked)"
    )


def chance(match: Match, number: int) -> Draw:
    return Draw(f"{len(match.events)}:{number}".encode().ljust(32, b"."))


def look(match: Match) -> list[Ask]:
    """Return what everybody is asked at this moment."""
    sealed, found = match.game.sealed(match.state) or {}, []
    for player in match.names:
        asked = match.game.private_view(match.state, player, match.now).asked
        assert not (player in sealed and asked), f"{player} has submitted and is asked: {asked}"
        for ask in asked:
            assert ask.until is not None
            assert timedelta(seconds=ask.until) > match.now
            assert ask.kind in match.game.actions
        found += asked
    return found
