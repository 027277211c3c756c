"""Random pairs of seasons that differ in what is in one member's account: nobody else can tell them apart, on pages, in
files, in the API and in all that is sent to people.

`make twins` compares many, as it does of matches; `PAIR=<its name>` makes one again.
"""

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from random import Random

import msgspec
import pytest
from django.db import transaction

from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.models import Match, clock
from matches.services.deadlines import advance
from matches.services.hosting import publish
from seasons import notices
from seasons.engine.state import SeasonState
from seasons.models import Season
from seasons.queries import standing
from seasons.services import drafts, running
from seasons.services.cast import add_member
from tests.fixtures.present import START
from tests.secrecy.mailbox import Mailbox
from tests.secrecy.masking import masked
from tests.secrecy.site import MESSAGES
from tests.services.conftest import person
from tests.web.conftest import browser

pytestmark = pytest.mark.django_db

HOST, STRANGER, VISITOR = "dora", "zoe", "visitor"
_NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
_PAGES = (
    "",
    "cast/",
    "story/",
    "predictions/",
    "rules/",
    "statement/",
    "statement/{who}/",
)
_API = ("", "feed/", "ledger/", "ledger/?of={who}", "export/")
_VARYING = {"X-Request-ID", "Set-Cookie", "Content-Length", "Expires"}

Step = Callable[["SeasonTable"], object]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A pair of seasons for four of matches."""
    if "pair" in metafunc.fixturenames:
        seed, count = metafunc.config.option.hypothesis_seed, max(1, int(os.environ.get("PAIRS", "5")) // 4)
        one = os.environ.get("PAIR")
        metafunc.parametrize("pair", [one] if one else [f"{seed}-season-{number}" for number in range(count)])


def game_of_pair(pair: str) -> AnyGame:
    return Random(f"game {pair}").choice([g for g in all_games().values() if g.sizes.least <= len(_NAMES)])


class SeasonTable:
    """A season whose first match has opened; dora hosts it."""

    def __init__(self, present: clock.FixedTime, pair: str) -> None:
        chance = Random(f"season {pair}")
        present.instant = START
        self.present, self.game = present, game_of_pair(pair)
        self.names = _NAMES[: self.game.sizes.least]
        self.users = {name: person(name) for name in (*self.names, HOST, STRANGER)}
        self.season = drafts.create_season("The season", self.users[HOST])
        for place, name in enumerate(self.names):
            facts = {"garnets": 10 + place, "priority": chance.randrange(3)}
            add_member(self.season, self.users[HOST], name, user=self.users[name], **facts)
        running.begin(self.season, self.users[HOST])
        self.match = running.add_match(self.season, self.users[HOST], self.game.slug, seed=chance.randbytes(32).hex())
        publish(self.match, self.users[HOST])
        self.advance()

    def advance(self) -> None:
        advance(self.match.pk)
        running.sweep()
        notices.tell()

    def wait(self, hours: float) -> None:
        """Time passes, and all that is due."""
        self.present.instant += timedelta(hours=hours)
        self.advance()

    def play_on(self, most: int) -> None:
        """So many deadlines pass; nobody acts."""
        for _ in range(most):
            due = Match.objects.get(pk=self.match.pk).next_deadline_at
            if due is not None:
                self.present.instant = due
                self.advance()

    def correct(self, who: str, amount: int) -> None:
        change = {"player": who, "asset": "garnet", "amount": amount}
        running.command(self.season, self.users[HOST], {"correct": change, "reason": "a secret prize"})
        notices.tell()


def seasons_of(pair: str, names: Sequence[str]) -> tuple[str, list[Step], list[Step]]:
    """Whose account differs, and the steps of each world."""
    chance = Random(f"secret {pair}")
    who, one = chance.choice(names), chance.randint(1, 5)
    other = one + chance.randint(1, 5)  # that it is corrected is told to everybody, and how much to nobody else
    before: list[Step] = [partial(SeasonTable.play_on, most=chance.choice((0, 1, 3, 40)))]
    # Not to the end of the match: its settlement shows to everybody what is in accounts.
    after: list[Step] = [partial(SeasonTable.wait, hours=chance.choice((0.5, 3)))]

    def corrects(amount: int, table: SeasonTable) -> None:
        table.correct(who, amount)

    return who, [*before, partial(corrects, one), *after], [*before, partial(corrects, other), *after]


def seen(
    present: clock.FixedTime, pair: str, steps: Sequence[Step], viewers: Sequence[str], who: str
) -> dict[tuple[str, str], str]:
    """What each of these gets after the steps, which then are undone."""
    with transaction.atomic():
        table = SeasonTable(present, pair)
        mailbox = Mailbox(table, viewers)
        for number, step in enumerate(steps):
            step(table)
            mailbox.gather(number)
        page, api = table.season.get_absolute_url(), f"/api/v1/seasons/{table.season.public_id}/"
        asked = {each: each for each in ("/", "/me/", "/seasons/", "/api/v1/seasons/")}
        asked |= {"match": table.match.get_absolute_url()}
        asked |= {each: page + each.format(who=who) for each in _PAGES}
        asked |= {f"api {each}": api + each.format(who=who) for each in _API}
        found = {}
        for viewer in viewers:
            client = browser(table.users.get(viewer))
            for name, address in asked.items():
                answer = client.get(address)
                headers = sorted((name, value) for name, value in answer.headers.items() if name not in _VARYING)
                text = f"{answer.status_code} {headers} {answer.content.decode()}"
                text = text.replace(table.season.public_id, "SEASON")
                found[viewer, name] = masked(text, table.match.public_id)
            found[viewer, MESSAGES] = mailbox.of(table.users.get(viewer)).replace(table.season.public_id, "SEASON")
        transaction.set_rollback(True)
    return found


def whose(pair: str) -> str:
    return seasons_of(pair, _NAMES[: game_of_pair(pair).sizes.least])[0]


def unlike(present: clock.FixedTime, pair: str, *viewers: str) -> list[tuple[str, str]]:
    """At which page which of these viewers can tell the two seasons apart; without any, some of those who may not."""
    names = _NAMES[: game_of_pair(pair).sizes.least]
    who, one, other = seasons_of(pair, names)
    some = viewers or (VISITOR, STRANGER, next(name for name in names if name != who))
    first, second = (seen(present, pair, steps, some, who) for steps in (one, other))
    return [place for place in first if first[place] != second[place]]


def test_nobody_else_can_tell_what_is_in_an_account(present: clock.FixedTime, pair: str) -> None:
    assert unlike(present, pair) == []


def test_the_member_and_the_host_can_tell(present: clock.FixedTime) -> None:
    """The control: so the pages that are compared do show accounts."""
    pair = "control"
    who = whose(pair)
    assert {viewer for viewer, _ in unlike(present, pair, who, HOST)} == {who, HOST}


def test_a_planted_leak_is_found(present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standings by the accounts as they are, and not as the last settlement has shown them."""
    real = standing.standings

    def too_early(season: Season, state: SeasonState | None) -> list[standing.CastLine]:
        return real(season, state and msgspec.structs.replace(state, published=state.purses))

    monkeypatch.setattr(standing, "standings", too_early)
    assert (VISITOR, "") in unlike(present, "control", VISITOR)
