"""What chance decided can be checked by anybody, with the result page's snippet alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from matches.models import Match, Result
from matches.models.clock import FixedTime
from matches.services import results
from matches.services.draws import Drawn, public_draws
from matches.services.replay import verify
from matches.services.results import draws_of
from tests.web.conftest import Table, browser


def snippet(table: Table) -> str:
    found = re.search(r'<pre id="seed-check"[^>]*>(.*?)</pre>', browser().look(f"{table.url}result/"), re.DOTALL)
    assert found
    return unescape(found[1])


@pytest.fixture
def drawn(db: None, present: FixedTime) -> Table:
    """ann wins the only seat; nobody ever decides, so chance names the candidate."""
    return Table(present).open().at(24).bid("ann", "V", 1).at(24 * 10)


def test_every_draw_is_listed_and_the_snippet_finds_it_again(drawn: Table, capsys: pytest.CaptureFixture[str]) -> None:
    code = snippet(drawn)
    checks = [line for line in code.splitlines() if line.startswith(("print(one_of(", "print(order_of("))]
    assert len(checks) == len(draws_of(drawn.match)) > 0
    exec(compile(code, "seed-check", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == "True\n" * (1 + len(checks))


def test_a_match_without_draws_says_so(table: Table) -> None:
    assert "nothing that is public was drawn" in snippet(table.finish())


def test_draws_are_nobodys_to_know_before_the_end(auction: Table) -> None:
    assert draws_of(auction.match) == ()
    assert "one_of(" not in browser(auction.users["dora"]).look(f"{auction.url}result/")


def test_a_log_that_cannot_be_played_again_does_not_take_the_result_away(drawn: Table) -> None:
    drawn.match.log.filter(kind="deadline").update(payload='{"deadline":1}')
    Match.objects.filter(pk=drawn.match_id).update(log_head="another")
    assert "nothing that is public was drawn" in snippet(drawn)


# -- the result is stored ----------------------------------------------------------------------------


def test_a_result_is_stored_once_and_replayed_for_nobody(drawn: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not Result.objects.exists()
    assert results.store_new() == 1
    assert results.store_new() == 0
    known = draws_of(drawn.match)
    assert known
    assert [list(each) for each in known] == Result.objects.get(match_id=drawn.match_id).draws

    def replayed(*_: object) -> None:
        raise AssertionError("the log was played again")

    monkeypatch.setattr(results, "replay", replayed)
    results._replayed.cache_clear()
    assert draws_of(drawn.match) == known
    assert "print(one_of(" in snippet(drawn)
    assert verify(drawn.match) == []


def test_a_match_that_ended_before_is_stored_when_somebody_looks(drawn: Table) -> None:
    Match.objects.filter(pk=drawn.match_id).update(finished_at=drawn.present.instant - timedelta(days=400))
    assert results.store_new() == 0
    page = snippet(drawn)
    assert Result.objects.filter(match_id=drawn.match_id).count() == 1
    assert snippet(drawn) == page


def test_a_result_that_somebody_has_changed_does_not_pass(drawn: Table) -> None:
    results.store_new()
    stored = Result.objects.get(match_id=drawn.match_id)
    stored.draws[0][3] = "somebody else"
    stored.save()
    assert verify(drawn.match) == ["The stored result is not what the log gives."]


def test_nothing_is_stored_before_the_end(auction: Table) -> None:
    browser(auction.users["dora"]).look(f"{auction.url}result/")
    browser(auction.users["ann"]).look(f"{auction.url}log/")
    assert results.store_new() == 0
    assert not Result.objects.exists()
    Result.objects.create(match=auction.match, draws=[])
    assert verify(auction.match) == ["The stored result is not what the log gives."]


def test_which_vote_was_drawn_for_somebody_is_not_stored() -> None:
    poll = SimpleNamespace(key="candidate", kind="vote")
    state = SimpleNamespace(core=SimpleNamespace(decisions=SimpleNamespace(polls=(poll,))))
    tie, secret = Drawn("choice", "candidate:tie", ["ann"], "ann"), Drawn("choice", "candidate:for:bob", ["ann"], "ann")
    assert public_draws([tie, secret], state) == (tie,)


def test_a_result_of_a_log_that_cannot_be_played_is_not_stored(drawn: Table) -> None:
    drawn.match.log.filter(kind="deadline").update(payload='{"deadline":1}')
    Match.objects.filter(pk=drawn.match_id).update(log_head="yet another")
    assert results.store_new() == 1
    assert not Result.objects.exists()


def test_while_somebody_writes_the_result_is_shown_and_stored_later(
    drawn: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def busy() -> Iterator[None]:
        raise OperationalError("database is locked")
        yield

    with monkeypatch.context() as patched:
        patched.setattr(results, "hurried", busy)
        assert draws_of(drawn.match)
        assert not Result.objects.exists()
    assert results.store_new() == 1
    assert Result.objects.exists()
