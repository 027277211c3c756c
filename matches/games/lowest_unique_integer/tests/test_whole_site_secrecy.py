"""Two worlds that differ only in what somebody may not know are the same to them: pages, programs and the console."""

from __future__ import annotations

import pytest

from matches.games.lowest_unique_integer.tests.worlds import (
    VIEWERS,
    Story,
    acts,
    all_of,
    begin,
    differences,
    reads_notices,
    to,
    uses_a_token,
    world,
)
from matches.models.clock import FixedTime
from matches.queries import match_info
from matches.services import hosting
from tests.web.conftest import Table


def corrects(asset: str, amount: int) -> Story:
    def story(table: Table) -> None:
        hosting.correct_balance(
            table.match, table.users["dora"], table.player("ann"), asset, amount, "Canary of a reason."
        )

    return story


def peeks(table: Table) -> None:
    hosting.peek(table.match, table.users["dora"], table.player("ann"), "Canary of a reason.")


seals = acts("ann", "bid", seat="Z", amount=5)
seals_elsewhere = acts("ann", "bid", seat="R", amount=12)
buys = acts("ann", "buy_chips", count=2)
bob_seals = acts("bob", "bid", seat="Z", amount=5)

TWINS: dict[str, tuple[Story, Story]] = {
    "a sealed bid, one taken back, chips bought, a program at work": (
        begin(then=all_of(bob_seals, seals, acts("ann", "withdraw"), buys, uses_a_token)),
        begin(),
    ),
    "refused tries": (
        begin(then=all_of(to(24), *[acts("ann", "bid", accepted=False, seat="Z", amount=99)] * 3)),
        begin(then=to(24)),
    ),
    "who has sealed, opening garnets": (
        begin(ann={"garnets": 3, "priority": 9}, then=seals),
        begin(ann={"garnets": 999, "priority": 9}, then=bob_seals),
    ),
    "which rule dropped a sealed bid": (
        begin(then=all_of(seals, bob_seals, to(24))),
        begin(then=all_of(seals, acts("bob", "bid", seat="Z", amount=4), to(24))),
    ),
    "another's balance corrected, and their notices read": (
        begin(then=all_of(corrects("chip", 2), corrects("garnet", -1), reads_notices)),
        begin(then=all_of(corrects("garnet", 3), corrects("chip", -2))),
    ),
    "which bid a host looked at": (begin(then=all_of(seals, peeks)), begin(then=all_of(seals_elsewhere, peeks))),
}  # fmt: skip


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.django_db
def test_the_twins_look_the_same(name: str, present: FixedTime) -> None:
    one, other = (world(story, present) for story in TWINS[name])
    assert not differences(one, other), "\n".join(differences(one, other))


@pytest.mark.django_db
def test_a_leak_would_be_found(present: FixedTime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a number beside the board that counts what ann does in secret."""
    facts = match_info.info_json
    monkeypatch.setattr(match_info, "info_json", lambda match: facts(match) | {"count": match.log_count})
    one, other = world(begin(then=seals), present), world(begin(), present)
    differing = {key for key, seen in one.items() if seen != other[key]}
    assert {(viewer, page) for viewer in VIEWERS for page in ("/api/v1/matches/", "{api}")} <= differing
