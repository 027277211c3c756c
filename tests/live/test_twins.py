"""Twin worlds on the wire: what somebody may not know changes no byte, no number and no moment of their frames."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.live.snapshots import FORMATS
from matches.models.clock import FixedTime
from matches.queries import match_info
from tests.fixtures.present import START
from tests.live import watched
from tests.live.watched import Frames
from tests.web.conftest import Table

pytestmark = pytest.mark.django_db(transaction=True)

Step = Callable[[Table], object]


def frames(steps: list[Step], now: FixedTime) -> Frames:
    """What spectators, bob (another player), and ann (whose secret it is) get in a world of its own."""

    def make() -> Table:
        now.instant = START
        return Table(now).open()

    return watched.frames(make, ("ann", "bob"), steps)


def nothing(table: Table) -> None:
    """In the other world something secret happens at this point."""


def buys(table: Table) -> None:
    assert table.act("ann", "buy_chips", count=1).accepted


def seals(table: Table) -> None:
    table.bid("ann", "Z", 3)


def seals_anew(table: Table) -> None:
    table.bid("ann", "R", 7)


def withdraws(table: Table) -> None:
    assert table.act("ann", "withdraw").accepted


def refused(table: Table) -> None:
    assert not table.act("ann", "bid", seat="Z", amount=1000).accepted


def opens(table: Table) -> None:
    table.at(24)


def bob_bids(table: Table) -> None:
    table.bid("bob", "X", 4)


def bob_seals(table: Table) -> None:
    table.bid("bob", "X", 4)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([nothing, nothing], [seals, nothing]),
        ([seals, nothing, nothing], [seals, seals_anew, nothing]),
        ([seals, nothing, bob_seals], [seals, withdraws, bob_seals]),
        ([nothing, bob_seals], [buys, bob_seals]),
        ([opens, nothing, bob_bids], [opens, buys, bob_bids]),
        ([opens, nothing, bob_bids], [opens, refused, bob_bids]),
        ([seals, opens, nothing, nothing, bob_bids], [seals, opens, buys, buys, bob_bids]),
    ],
    ids=["sealed", "sealed anew", "withdrawn", "bought early", "bought", "refused", "bought twice"],
)
def test_a_secret_changes_nothing_in_the_frames_of_others(
    one: list[Step],
    other: list[Step],
    present: FixedTime,
) -> None:
    first, second = frames(one, present), frames(other, present)
    for name in first:
        if not name.startswith("ann"):
            assert first[name] == second[name], name


def test_the_one_whose_secret_it_is_does_see_it(present: FixedTime) -> None:
    quiet, bought = frames([opens, nothing], present), frames([opens, buys], present)
    for form in FORMATS:
        assert quiet[f"ann {form}"] != bought[f"ann {form}"]
        assert len(bought[f"ann {form}"]) == len(quiet[f"ann {form}"]) + 1


def test_where_nothing_public_happens_nobody_else_gets_a_frame(present: FixedTime) -> None:
    seen = frames([buys, seals, seals_anew, withdraws, refused], present)
    for name, sent in seen.items():
        assert len(sent) == 1 or name.startswith("ann"), name
    assert len(seen["ann json"]) >= 4


def test_a_leak_would_be_found(present: FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a public number that counts what ann does in secret."""
    facts = match_info.info_json
    monkeypatch.setattr(match_info, "info_json", lambda match: facts(match) | {"count": match.log_count})
    first, second = frames([opens, nothing, bob_bids], present), frames([opens, buys, bob_bids], present)
    assert first["visitor json"] != second["visitor json"]


def test_a_frame_never_holds_a_csrf_token(present: FixedTime) -> None:
    for name, sent in frames([seals, opens, bob_bids], present).items():
        assert not [text for _, text in sent if "csrf" in text.lower()], name
