"""What chance decided can be checked by anybody, with the result page's snippet alone."""

import re
from html import unescape
from types import SimpleNamespace

import pytest

from matches.models.clock import FixedTime
from matches.services.draws import Drawn, public_draws
from matches.services.replay import draws_of
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


def test_draws_are_nobodys_to_know_before_the_end(auction: Table) -> None:
    assert draws_of(auction.match) == ()
    assert "one_of(" not in browser(auction.users["dora"]).look(f"{auction.url}result/")


def test_which_vote_was_drawn_for_somebody_is_not_public() -> None:
    poll = SimpleNamespace(key="candidate", kind="vote")
    state = SimpleNamespace(core=SimpleNamespace(decisions=SimpleNamespace(polls=(poll,))))
    tie, secret = Drawn("choice", "candidate:tie", ["ann"], "ann"), Drawn("choice", "candidate:for:bob", ["ann"], "ann")
    assert public_draws([tie, secret], state) == (tie,)
