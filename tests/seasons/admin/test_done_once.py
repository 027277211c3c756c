"""A double click in a season's console: each form that is sent again and again does its thing once."""

from __future__ import annotations

from typing import Any

import pytest

from matches.services import hosting
from seasons.queries.standing import state_of
from seasons.services.verifying import verify
from tests.access.test_equal_requests import stored
from tests.admin.conftest import person
from tests.fixtures.any_game import PRESET, SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db

TIMES = 3


def again_and_again(desk: SeasonDesk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From now on each form is sent `TIMES` times. Where one did more than the first time, and in which tables."""
    post, more = desk.client.post, []

    def often(address: str, data: Any, **how: Any) -> Any:
        first, once = post(address, data, **how), stored()
        for _ in range(TIMES - 1):
            assert post(address, data, **how).status_code < 500
        more.extend(f"{address}: {name}" for name, rows in stored().items() if rows != once[name])
        return first

    monkeypatch.setattr(desk.client, "post", often)
    return more


def test_each_form_of_a_season_from_its_making_to_its_end(
    desk: SeasonDesk, players: list[Any], host: Any, other_host: Any, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = again_and_again(desk, monkeypatch)
    rules = {"config-opponent": "host", "config-settlement": "confirmed", "config-loser_garnets": "winner"}
    season, eve = desk.create(key="one", **rules), person("eve")
    desk.paste("free\nann\n" + "\n".join(f"bot{number},bot,,{number}" for number in range(1, 7)))
    pk = {member.handle: member.pk for member in season.cast.all()}
    desk.do("hosts", hosts="hanna, otto", owner="hanna", observers="")
    desk.do("invite", member=pk["free"], person="eve", label="By night", lasts="3d")
    number = season.invitations.get().pk
    nonce = season.cast.get(handle="free").invite_nonce
    desk.client.post(f"{desk.address}/invitation/", {"member": pk["free"], "nonce": nonce})
    assert season.cast.get(handle="free").invite_nonce != nonce
    desk.client.post(f"{desk.address}/invitation/", {"invitation": number, "do": "revoke", "key": "one"})
    desk.do("begin")
    match = desk.next_match(SLUG, PRESET)
    hosting.publish(match, host, open_places="bots")
    desk.do("blood", match="1")
    desk.do("replace", member=pk["free"], who="person", person=eve.username, reason="Takes the place.")
    later(days=40)
    desk.sign_in()
    desk.do("settle")
    season.refresh_from_db()
    state = state_of(season)
    assert state is not None
    assert state.after is not None
    loser = state.after.candidates[0]
    desk.do("opponent", opponent=next(each for each in state.handles_in() if each not in (loser, *state.after.immune)))
    desk.do("death-match", loser=loser, reason="Lost 3 to 1.")
    gone, other, withdrawn = [each for each in ("bot1", "bot2", "bot3", "bot4") if each != loser][:3]
    desk.do("correct", player=pk[other], asset="garnet", amount="2", reason="Won a quiz.")
    desk.do("out", player=pk[gone], reason="Broke the rules.")
    desk.do("withdraw", player=pk[withdrawn], reason="Has no time.")
    desk.do("end")
    assert season.refresh_from_db() is None
    assert season.status == "ended"
    assert verify(season) == []
    assert more == []
