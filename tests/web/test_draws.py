"""What chance decided can be checked by anybody, with the result page's snippet alone."""

from __future__ import annotations

import re
from html import unescape

import pytest

from matches.models import Match
from matches.models.clock import FixedTime
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


def test_a_match_without_draws_says_so(table: Table) -> None:
    assert "nothing that is public was drawn" in snippet(table.finish())


def test_draws_are_nobodys_to_know_before_the_end(auction: Table) -> None:
    assert draws_of(auction.match) == ()
    assert "one_of(" not in browser(auction.users["dora"]).look(f"{auction.url}result/")


def test_a_log_that_cannot_be_played_again_does_not_take_the_result_away(drawn: Table) -> None:
    drawn.match.log.filter(kind="deadline").update(payload='{"deadline":1}')
    Match.objects.filter(pk=drawn.match_id).update(log_head="another")
    assert "nothing that is public was drawn" in snippet(drawn)
