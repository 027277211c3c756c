"""Invitations to a season as hosts send, follow and revoke them, as in a match."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from matches.models import clock
from notices.models import Notice
from seasons.models import SeasonInvitation
from seasons.services import invitations
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
    assert "Nobody has been invited yet" in sent(desk)
    fields = {"member": free.pk, "person": "EVE", "label": "By night", "lasts": "3d"}
    assert "Eve has the invitation." in desk.do("invite", **fields)
    assert invitations.invited_member(before) is None, "earlier links no longer work"

    notice = Notice.objects.get(user=eve)
    assert (notice.event, notice.by, notice.match) == ("invited", SeasonInvitation.objects.get().expires_at, None)
    assert notice.title == "You are invited to a season · Autumn"
    made = SeasonInvitation.objects.get()
    assert made.expires_at is not None
    for instant, works in ((made.expires_at - timedelta(seconds=1), True), (made.expires_at, False)):
        with clock.fixed(instant):
            assert (invitations.invited_member(invitations.invitation_of(made.member)) is not None) == works
    assert "eve, By night" in sent(desk)
    assert desk.client.get(notice.url).status_code == 200, "a host who tries it does not count"
    assert "not opened" in sent(desk)
    assert browser_of(eve).get(notice.url).status_code == 200
    assert "opened, not used" in sent(desk)

    assert "Eve has been sent the link again." in follow_up(desk, "again")
    assert Notice.objects.filter(user=eve).count() == 2
    assert "The link to the place free no longer works." in follow_up(desk, "revoke")
    assert browser_of(eve).get(notice.url).status_code == 410
    assert "revoked " in sent(desk)
    for do in ("again", "revoke"):
        assert "no longer works anyway" in follow_up(desk, do)
