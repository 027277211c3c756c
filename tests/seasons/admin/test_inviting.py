"""Invitations to a season as hosts send, follow and revoke them, as in a match."""

from __future__ import annotations

import re
from typing import Any

import pytest

from notices.models import Notice
from seasons.models import SeasonInvitation
from seasons.services import invitations
from seasons.services.verifying import verify
from tests.admin.conftest import browser_of, person, text_of
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db


def sent(desk: SeasonDesk) -> str:
    return re.sub(r"\s+", " ", text_of(desk.client.get(f"{desk.address}/invitations/")))


def follow_up(desk: SeasonDesk, do: str) -> str:
    number = SeasonInvitation.objects.latest("pk").pk
    return text_of(desk.client.post(f"{desk.address}/invitation/", {"invitation": number, "do": do}, follow=True))


def test_an_invitation_is_sent_as_a_notice_seen_sent_again_and_revoked(desk: SeasonDesk, host: Any) -> None:
    season, eve = desk.create(), person("eve")
    desk.paste("free\nbo,bot")
    free = season.cast.get(handle="free")
    before = invitations.invitation_of(free)
    assert "Nobody was sent an invitation yet" in sent(desk)
    fields = {"member": free.pk, "person": "EVE", "label": "By night", "lasts": "3d"}
    assert "Eve has the invitation." in desk.do("invite", **fields)
    assert invitations.invited_member(before) is None, "earlier links no longer work"

    notice = Notice.objects.get(user=eve)
    assert (notice.event, notice.by, notice.match) == ("invited", SeasonInvitation.objects.get().expires_at, None)
    assert notice.title == "You are invited to a season · Autumn"
    assert "eve, By night" in sent(desk)
    assert desk.client.get(notice.url).status_code == 200, "a host who tries it does not count"
    assert "not opened" in sent(desk)
    assert browser_of(eve).get(notice.url).status_code == 200
    assert "opened, not used" in sent(desk)

    assert "Eve has it again." in follow_up(desk, "again")
    assert Notice.objects.filter(user=eve).count() == 2
    assert "The link to the place free no longer works." in follow_up(desk, "revoke")
    assert browser_of(eve).get(notice.url).status_code == 410
    assert "revoked " in sent(desk)
    for do in ("again", "revoke"):
        assert "no longer works anyway" in follow_up(desk, do)


def test_it_also_works_while_the_season_runs_until_it_is_used(desk: SeasonDesk, host: Any, later: Any) -> None:
    season = desk.create()
    desk.paste("free\nlate\nann,bot\nbob,bot")
    desk.do("begin")
    for handle in ("free", "late"):
        desk.do("invite", member=season.cast.get(handle=handle).pk, person="", label=f"To {handle}", lasts="12h")
    free, late = (invitations.invitation_of(season.cast.get(handle=handle)) for handle in ("free", "late"))
    fay = person("fay")
    assert "You are in the cast" in text_of(browser_of(fay).post(f"/seasons/join/{free}/", follow=True))
    page = sent(desk)
    assert re.search(r"<strong>free</strong>: used .{10,60}by fay", page), page
    later(hours=12)
    assert browser_of(person("gil")).get(f"/seasons/join/{late}/").status_code == 410
    assert "expired" in sent(desk)
    season.refresh_from_db()
    assert verify(season) == []
    assert "fay" not in "".join(season.log.filter(kind="begin").values_list("payload", flat=True))


def test_who_cannot_be_a_member_cannot_be_invited(desk: SeasonDesk, host: Any) -> None:
    season = desk.create()
    person("ann")
    desk.paste("ann\nfree")
    free = season.cast.get(handle="free").pk
    for fields, why in (
        ({"person": "hanna"}, "can never be a member"),
        ({"person": "ann"}, "is in the cast already"),
        ({"person": "nobody"}, "There is nobody called nobody."),
        ({"lasts": "400d"}, "at most 365 days"),
        ({"member": season.cast.get(handle="ann").pk}, "Somebody has taken that place by now"),
    ):
        asked = desk.ask("invite", **{"member": free, "person": "", "label": "", "lasts": "", **fields})
        assert why in asked, why
    assert not SeasonInvitation.objects.exists()
