"""The command with which a host changes who plays."""

from __future__ import annotations

from typing import Any

from matches.models import Match
from matches.services import hosting
from matches.services.replay import verify
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import Console, browser_of, person, text_of


def place(match: Match, handle: str) -> str:
    player = match.players.get(handle=handle)
    return f"{player.pk}:{player.user_id or ''}:{int(player.is_bot)}"


def test_a_host_replaces_a_player_with_three_fields(console: Console, running: Match, players: list[Any]) -> None:
    ann = players[0]
    person("eve")
    number = running.players.get(handle="ann").pk
    chosen = place(running, "ann")
    assert f"do/who_plays/?player={number}" in console.page()
    form = text_of(console.client.get(f"{console.address}/do/who_plays/?player={number}"))
    assert f'<option value="{chosen}" selected>ann: ann</option>' in form

    fields = {"place": chosen, "what": "substitute", "person": "Eve"}
    asked = console.ask("who_plays", **fields, reason="Gone home")
    assert "eve plays as ann, with the balances, the secrets and the unread notices of the place." in asked
    assert "ann loses all access at once" in asked
    page = console.do("who_plays", **fields, reason="Gone home")
    assert "plays as ann now." in page
    assert "eve plays as ann instead of ann (" in page

    assert "Somebody else plays there now. Choose again." in console.ask("who_plays", **fields)
    fields["place"] = place(running, "bob")
    for who, why in (
        ("", "Say who takes over."),
        ("no\u202ebody", "There is nobody called nobody."),
        ("ann", "so they can never play in it again"),
        ("eve", "eve already plays in this match."),
        ("hanna", "a host never plays in it"),
    ):
        assert why in console.ask("who_plays", **{**fields, "person": who}), who
    assert "No bot plays for a person there." in console.ask("who_plays", **{**fields, "what": "back"})

    history = text_of(browser_of(ann).get(f"/matches/{running.public_id}/history/"))
    assert "gave the place ann to eve, instead of ann" in history
    board = text_of(browser_of(ann).get(running.get_absolute_url()))
    assert "eve takes over from ann" in board
    assert 'class="panel panel--mine' not in board
    assert verify(running) == []


def test_a_host_notes_who_withdraws_and_whether_a_bot_plays_on(console: Console, running: Match) -> None:
    for handle, what, asked, plays_on in (
        ("ann", "withdraw", "From now on nobody plays as ann.", False),
        ("bob", "withdraw_bot", "A bot plays on as bob.", True),
    ):
        fields = {"place": place(running, handle), "what": what, "reason": "Ill"}
        assert asked in console.ask("who_plays", **fields)
        console.do("who_plays", **fields)
        player = running.players.get(handle=handle)
        assert (player.user, player.is_bot) == (None, plays_on)


def test_a_host_lets_bots_stand_in_and_notes_that_somebody_is_away(
    console: Console, draft: Match, host: Any, players: list[Any]
) -> None:
    change_players(draft, host, [PlayerChange(None, {"user": each}) for each in players])
    console.do("leniency", bots_stand_in="True")
    hosting.start_now(draft, host)
    ann = draft.players.get(handle="ann")
    asked = {"player": str(ann.pk), "since": "2031-05-17T15:00", "until": "2031-05-18T15:00", "reason": "Ill"}
    page = console.do("away", **asked)
    assert "away from Sat 17 May, 13:00 UTC (15:00 your time)" in page
    assert ": Ill" in page
    assert "Ill" not in "".join(draft.log.values_list("payload", flat=True))
    assert "has to end after it begins" in console.ask("away", **{**asked, "until": "2031-05-17T14:00"})
    draft.refresh_from_db()
    assert verify(draft) == []


def test_result_and_history_say_who_came_for_whom_beside_their_tables(
    console: Console, running: Match, host: Any, later: Any
) -> None:
    hosting.substitute(running, host, running.players.get(handle="ann"), person("eve"))
    later(days=60)
    visitor = browser_of(person("visitor"))
    for kind in ("result", "history"):
        page = text_of(visitor.get(f"/matches/{running.public_id}/{kind}/"))
        assert "eve takes over from ann" in page
        assert "after the player who has it now" in page
