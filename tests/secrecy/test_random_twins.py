"""Random pairs of worlds that differ in one secret: one of each match type in each run, thousands by `make twins`.

Each run has new ones. A failed test is named by its pair, and `PAIR=<its name>` makes that pair again.
"""

import os
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from matches.games.registry import all_games
from matches.models import clock
from matches.queries import match_info
from tests.conformance.subjects import SUBJECTS, Subject, seals
from tests.secrecy.random_twins import PlayedTable, names_of, random_twins, secret_of
from tests.secrecy.site import Twins, unlike_pages

pytestmark = pytest.mark.django_db

MORE = ("talk/", "notebook/", "notebook/export/")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pairs are named by the run's seed, which all workers know, and a number."""
    if "pair" in metafunc.fixturenames:
        seed, count = metafunc.config.option.hypothesis_seed, int(os.environ.get("PAIRS", len(all_games())))
        one = os.environ.get("PAIR")
        metafunc.parametrize("pair", [one] if one else [f"{seed}-{number}" for number in range(count)])


def subject_of(pair: str) -> Subject:
    """Each match type in its turn, in any of its presets."""
    game = [*all_games().values()][int(pair.rpartition("-")[2]) % len(all_games())]
    return Random(f"subject {pair}").choice([each.values[0] for each in SUBJECTS if each.values[0].game is game])


def unlike(present: clock.FixedTime, pair: str, twins: Twins[PlayedTable]) -> list[tuple[str, str]]:
    subject = subject_of(pair)
    return unlike_pages(lambda _: PlayedTable(present, subject, pair), twins, more=MORE)


def test_nobody_else_can_tell_what_somebody_has_done_in_secret(present: clock.FixedTime, pair: str) -> None:
    assert unlike(present, pair, random_twins(subject_of(pair), pair)) == []


def control(kind: str) -> Iterator[tuple[str, str, Twins[PlayedTable]]]:
    """Pairs that are always the same, with a secret of this kind: each pair's name, who has the secret, the twins."""
    for number in range(30):
        pair = f"control-{number}"
        secret = secret_of(pair, names_of(subject_of(pair), pair))
        if secret.kind == kind and seals(subject_of(pair).game):
            yield pair, secret.who, random_twins(subject_of(pair), pair)


def test_secrets_and_planted_leaks_are_found(present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: who has the secret can tell the worlds apart, in most pairs. So can a visitor, where a number counts
    what was done in secret too."""
    facts = match_info.info_of
    monkeypatch.setattr(match_info, "info_of", lambda match: replace(facts(match), title=str(match.log_count)))
    by_them, by_visitors = 0, 0
    for pair, who, twins in islice(control("seals"), 6):
        found = unlike(present, pair, twins._replace(viewers=(who, "visitor")))
        by_them += (who, "") in found
        by_visitors += ("visitor", "api ") in found
        if min(by_them, by_visitors) == 2:
            return
    pytest.fail(f"found by those who have it {by_them} times, by visitors {by_visitors} times")
