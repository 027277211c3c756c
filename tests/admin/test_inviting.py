"""Invitations as hosts make, send, follow and revoke them."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Invitation, Match
from matches.services import hosting, joining
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from matches.services.roster import PlayerChange, change_players
from notices.models import Notice
from tests.admin.conftest import Console, browser_of, person, text_of


def token(match: Match, handle: str) -> str:
    player = match.players.get(handle=handle)
    return f"{player.pk}:{player.user_id or ''}:{int(player.is_bot)}"


def sent(console: Console) -> str:
    return re.sub(r"\s+", " ", text_of(console.client.get(f"{console.address}/invitations/")))


def test_an_invitation_is_sent_seen_sent_again_and_revoked(console: Console, draft: Match, host: Any) -> None:
    eve = person("eve")
    change_players(draft, host, [PlayerChange(None, {"handle": "free"})])
    before = joining.invitation_of(draft.players.get())
    assert "No invitations yet" in sent(console)
    assert "eve has the invitation." in console.do(
        "invite", place=token(draft, "free"), person="eve", label="By night", lasts="3d"
    ).replace("Eve", "eve")
    assert joining.invited_player(before) is None, "earlier links no longer work"

    notice = Notice.objects.get(user=eve)
    assert (notice.event, notice.by) == ("invited", Invitation.objects.get().expires_at)
    page = sent(console)
    assert "eve, By night" in page
    assert "not opened" in page
    assert console.client.get(notice.url).status_code == 200, "a host who tries it does not count"
    assert "not opened" in sent(console)
    assert browser_of(eve).get(notice.url).status_code == 200
    assert "opened, not used" in sent(console)

    number = Invitation.objects.get().pk
    address = f"{console.address}/invitation/"
    answer = console.client.post(address, {"invitation": number, "do": "again"}, follow=True)
    assert "The site has sent " in text_of(answer)
    assert Notice.objects.filter(user=eve).count() == 2
    answer = console.client.post(address, {"invitation": number, "do": "revoke"}, follow=True)
    assert "The link to free's place no longer works." in text_of(answer)
    assert browser_of(eve).get(notice.url).status_code == 410
    assert "revoked " in sent(console)
    for do in ("again", "revoke"):
        answer = console.client.post(address, {"invitation": number, "do": do}, follow=True)
        assert "no longer works anyway" in text_of(answer)
    assert "hanna made an invitation to free's place" in re.sub(
        r"\s+", " ", re.sub("<[^>]*>", " ", text_of(console.client.get(f"/matches/{draft.public_id}/history/")))
    )
    assert "eve" not in "".join(draft.log.values_list("payload", flat=True))
    draft.refresh_from_db()
    assert verify(draft) == []


def test_whoever_uses_a_link_to_a_place_that_is_taken_becomes_the_substitute(
    console: Console, running: Match, players: list[Any], host: Any
) -> None:
    ann, bob = players[0], players[1]
    asked = console.ask("invite", place=token(running, "ann"))
    assert "When somebody uses it, ann loses the place for good, and everybody hears about it." in asked
    made = joining.invite(running, host, running.players.get(handle="ann"))
    address = f"/join/{joining.code_of(made)}/"
    assert address in sent(console)
    assert "to take over" in sent(console)
    assert "If you join, you take over the place of ann." in text_of(browser_of(person("eve")).get(address))
    assert running.players.get(handle="ann").user == ann, "ann plays until it is used"
    for who in (bob, host):
        assert browser_of(who).post(address).status_code == 302
        assert running.players.get(handle="ann").user == ann

    answer = browser_of(person("finn")).post(address, follow=True)
    assert "takes over from ann" in text_of(answer)
    assert running.players.get(handle="ann").user.username == "finn"
    assert browser_of(person("late")).post(address).status_code == 410
    assert running.insiders.get(user=ann).played is not None

    again = joining.invite(running, host, running.players.get(handle="bob"))
    hosting.substitute(running, host, running.players.get(handle="bob"), person("gil"))
    assert joining.invited_player(joining.code_of(again)) is None, "it was made to replace bob"
    assert "replaced" in sent(console)
    running.refresh_from_db()
    assert verify(running) == []


def test_a_link_ends_when_it_says(console: Console, draft: Match, host: Any, later: Callable[..., None]) -> None:
    change_players(draft, host, [PlayerChange(None, {"handle": "free"})])
    made = joining.invite(draft, host, draft.players.get(), lasts=timedelta(days=3))
    code = joining.code_of(made)
    assert joining.invited_player(code)
    later(days=3)
    assert joining.invited_player(code) is None
    with pytest.raises(CommandRefused, match="no longer works"):
        joining.claim(code, person("eve"))
    assert "expired" in sent(console)
    for typed, why in (("never", "is not"), ("400d", "at most 365 days")):
        assert why in console.ask("invite", place=token(draft, "free"), lasts=typed), typed
    assert "a host never plays in it" in console.ask("invite", place=token(draft, "free"), person="hanna")
    joining.claim(joining.code_of(joining.invite(draft, host, draft.players.get())), person("fay"))
    assert "used " in sent(console)
    assert "fay" in sent(console)
