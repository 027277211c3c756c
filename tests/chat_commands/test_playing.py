"""Playing by slash commands: the same rules, rights and sentences as on the site."""

from typing import Any
from unittest.mock import Mock

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from chat_commands import handlers
from matches.models import Match, Submission
from matches.queries.access import NOT_SHOWN
from matches.services import hosting
from matches.services.errors import BUSY, Busy
from matches.services.replay import verify
from tests.chat_commands.conftest import Chat, linked
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table

TYPE = SLUG.replace("_", "-")


def actions(table: Table) -> list[Submission]:
    return list(table.match.log.filter(kind="action").order_by("number"))


def test_a_player_seals_withdraws_and_bids(table: Table, chat: Chat) -> None:
    said = chat.say("1", TYPE, "bid", seat="Z", amount=3)
    (row,) = actions(table)
    assert (row.actor, row.payload, row.key) == ("player:ann", '{"amount":3,"seat":"Z","type":"bid"}', "chat-1001")
    assert row.receipt_hash in said
    assert "seat Z" in said
    assert "Done:" in chat.say("1", TYPE, "withdraw")
    assert verify(table.match) == []
    refused = chat.say("1", TYPE, "withdraw")
    assert refused == actions(table)[-1].message
    table.at(25)
    assert "Done:" in chat.say("2", TYPE, "bid", seat="V", amount=2, match=table.match.public_id)


def test_purse_board_and_matches(table: Table, chat: Chat) -> None:
    which = table.match.public_id
    before = chat.say("2", "genius", "board", match=which)
    chat.say("1", TYPE, "bid", seat="Z", amount=3)
    assert "chips" in chat.say("1", "genius", "purse", match=which)
    assert "<t:" in chat.say("2", "genius", "matches")
    board = chat.say("2", "genius", "board", match=which)
    assert table.match.title in board
    assert which in board
    assert board == before  # what ann has sealed is nobody's to know
    linked(table.users["eve"], "3")
    assert "do not play" in chat.say("3", "genius", "purse", match=which)
    assert table.match.title in chat.say("3", "genius", "board", match=which)
    Match.objects.filter(pk=table.match_id).update(status="draft")
    assert "no such match" in chat.say("3", "genius", "board", match=which)
    assert "no such match" in chat.say("3", "genius", "board", match="x")


def test_of_a_match_that_cannot_be_shown_they_say_so(table: Table, chat: Chat) -> None:
    Match.objects.filter(pk=table.match_id).update(state="{}")
    said = [chat.say("1", "genius", sub, match=table.match.public_id) for sub in ("board", "purse")]
    assert (said, chat.choices("1", TYPE, "bid", "seat", seat="")) == ([NOT_SHOWN] * 2, [])


def test_only_players_act_and_only_where_they_are_linked(table: Table, chat: Chat) -> None:
    assert "not linked to an account" in chat.say("9", TYPE, "bid", seat="Z", amount=3)
    linked(table.users["eve"], "3")
    assert "not playing in such a match" in chat.say("3", TYPE, "bid", seat="Z", amount=3, match=table.match.public_id)
    assert "not playing in such a match" in chat.say("1", "the-mvp", "buy_chips", count=3)
    assert "does not know that command" in chat.say("1", TYPE, "fly")
    assert "does not know that command" in chat.say("1", "nothing", "bid")
    hosting.pause(table.match, table.users["dora"], "lunch")
    assert "paused" in chat.say("1", TYPE, "bid", seat="Z", amount=3)
    table.users["ann"].is_active = False
    table.users["ann"].save()
    assert "not linked to an account" in chat.say("1", TYPE, "bid", seat="Z", amount=3)
    assert [row.accepted for row in actions(table)] == [False]


def test_whoever_still_needs_a_second_factor_gets_nothing_done(table: Table, chat: Chat, settings: Any) -> None:
    offered = chat.choices("1", TYPE, "bid", "seat", seat="")
    assert "Z" in offered
    settings.SECOND_FACTOR = "everybody"
    for command, sub, given in (("genius", "matches", {}), ("genius", "purse", {}), (TYPE, "bid", {"seat": "Z"})):
        assert "requires a second factor" in chat.say("1", command, sub, **given)
    assert chat.choices("1", TYPE, "bid", "seat", seat="") == []
    assert actions(table) == []
    TOTP.activate(table.users["ann"], generate_totp_secret())
    assert chat.choices("1", TYPE, "bid", "seat", seat="") == offered
    assert "Done:" in chat.say("1", TYPE, "bid", seat="Z", amount=3)
    Authenticator.objects.all().delete()
    assert "has ended" in chat.say("1", "genius", "unlink")


def test_who_plays_in_several_says_in_which(table: Table, chat: Chat) -> None:
    other = Table(table.present)
    other.match.players.filter(handle="ann").update(user=table.users["ann"])
    other.open()
    assert "several" in chat.say("1", TYPE, "bid", seat="Z", amount=3)
    assert len(chat.choices("1", TYPE, "bid", "match", match="", seat="Z")) == 2
    assert "Done:" in chat.say("1", TYPE, "bid", seat="Z", amount=3, match=other.match.public_id)
    assert actions(table) == []


def test_a_busy_match_says_so_and_nothing_is_done(table: Table, chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "submit", Mock(side_effect=Busy(BUSY)))
    assert "Nothing was saved" in chat.say("1", TYPE, "bid", seat="Z", amount=3)
    assert actions(table) == []
