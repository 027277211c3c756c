"""Every command: what its page says beforehand, what it does, and how it refuses."""

from typing import Any

import pytest

from matches.admin.commands import COMMANDS
from matches.models import Match, Player, Submission
from matches.services.group.queue import submit
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import Console

pytestmark = pytest.mark.django_db


def place(match: Match, handle: str) -> Player:
    return Player.objects.get(match=match, handle=handle)


WRONG_INPUT = [
    ("extend", {}, "Enter by how long, such as 2h."),
    ("extend", {"by": "soon"}, "such as 24h or 1d12h"),
    ("extend", {"by": "-2h"}, "A time cannot be negative."),
    ("extend", {"by": "0h"}, "more than 0 and at most 30 days"),
    ("extend", {"by": "31d"}, "more than 0 and at most 30 days"),
    ("extend", {"by": "99999999999999d"}, "cannot be longer than 3650 days"),
    ("pause", {"reason": "x" * 201}, "shorten it to 200 at most"),
    ("close", {"reason": "x" * 201}, "shorten it to 200 at most"),
    ("cancel", {"reason": " "}, "Say why; everybody can read the reason."),
    ("correct", {}, "Please choose one."),
    (
        "correct",
        {"player": "0", "asset": "chip", "amount": "1", "reason": "r"},
        "Please choose one of those shown.",
    ),
    (
        "correct",
        {"player": "x", "asset": "chip", "amount": "1", "reason": "r"},
        "Please choose one of those shown.",
    ),
    ("correct", {"asset": "gold", "amount": "1", "reason": "r"}, "Please choose one of those shown."),
    ("correct", {"asset": "chip", "amount": "0", "reason": "r"}, "Enter how much to give"),
    ("correct", {"asset": "chip", "amount": "1.5", "reason": "r"}, "Enter a whole number"),
    ("correct", {"asset": "chip", "amount": "much", "reason": "r"}, "Enter a number."),
    ("correct", {"asset": "chip", "amount": "Infinity", "reason": "r"}, "Enter a number."),
    ("correct", {"asset": "chip", "amount": "1", "reason": "  "}, "Say why; everybody can read the reason."),
    ("peek", {"what": "sealed", "reason": "r"}, "Please choose one."),
    ("peek", {"reason": "r"}, "Choose what you need to see."),
    ("peek", {"reason": ""}, "Say why; everybody can read the reason."),
    ("hosts", {"hosts": ""}, "Name at least one host."),
    ("hosts", {"hosts": ", ,"}, "Name at least one host."),
    ("hosts", {"hosts": "hanna, nobody"}, "There is nobody called nobody."),
    ("hosts", {"hosts": "ann"}, "ann cannot sign in here yet"),
]


def test_wrong_input_is_told_in_words_and_changes_nothing(console: Console, running: Match) -> None:
    for name, fields, said in WRONG_INPUT:
        before = running.log.count()
        if name == "correct" and fields and "player" not in fields:
            fields = {"player": str(place(running, "ann").pk), **fields}
        for confirmed in ({}, {"_confirm": "1"}):
            assert said in console.ask(name, **fields, **confirmed)
        assert running.log.count() == before


def test_a_command_that_does_not_suit_is_refused_in_words(console: Console, running: Match) -> None:
    Match.objects.filter(pk=running.pk).update(status=Match.Status.CANCELLED)
    for name in set(COMMANDS) - {"hosts", "correct", "announce", "undo"}:
        shown = console.client.get(f"{console.address}/do/{name}/", follow=True).content.decode()
        for page in (shown, console.ask(name, _confirm="1", reason="r", by="2h")):
            assert "is not possible now: the match is cancelled" in page, name


class TestSealed:
    def test_looking_is_deliberate_and_logged(self, console: Console, running: Match, players: list[Any]) -> None:
        submit(running.pk, players[0].pk, {"type": "bid", "seat": "W", "amount": 17})
        ann = place(running, "ann")
        asked = console.ask("peek", player=ann.pk, what="sealed", reason="she lost her device")
        assert "It stays in the log for good" in asked
        assert not Submission.objects.filter(payload__contains='"peek"').exists()
        page = console.do("peek", player=ann.pk, what="sealed", reason="she lost her device")
        assert "<dd>17</dd>" in page
        assert "<dd>W</dd>" in page
        assert "Looked at what ann had submitted under seal: she lost her device" in console.page()


class TestHosts:
    def test_only_the_owner_names_people(self, console: Console, running: Match, other_host: Any) -> None:
        console.do("hosts", hosts="hanna, otto", owner="hanna")
        cohost = Console(other_host)
        cohost.match = running
        assert "/do/hosts/" not in cohost.page()
        assert "Only the owner of this match can do that." in cohost.ask("hosts", hosts="otto", owner="otto")
        assert "The owner has to be one of the hosts" in console.ask("hosts", hosts="hanna", owner="otto")
        assert "cannot both host and observe" in console.ask("hosts", hosts="hanna", owner="hanna", observers="hanna")
        assert "You are handing it over" in console.ask("hosts", hosts="hanna, otto", owner="otto")
        console.do("hosts", hosts="hanna, otto", owner="otto")
        assert "/do/hosts/" in cohost.page()
        assert "/do/hosts/" not in console.page()


def test_a_match_whose_rules_fail_can_still_be_looked_at_and_ended(
    console: Console, running: Match, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise ZeroDivisionError("odd")

    for method in ("pass_deadline", "public_view", "private_view"):
        monkeypatch.setattr(type(running.rules), method, fail)
    later(hours=25)
    page = console.page()
    assert "ZeroDivisionError: odd" in page
    assert "The site cannot show where this match stands" in page
    assert "what players have submitted or hold. The players are ann, bob, cat." in " ".join(page.split())
    assert "To do now" not in page
    assert "ZeroDivisionError: odd" in console.do("fault")
    console.do("cancel", reason="broken rules")
    running.refresh_from_db()
    assert running.status == Match.Status.CANCELLED


@pytest.mark.parametrize(("zone", "moment"), [("Asia/Tokyo", "0001-01-01T00:00"), ("America/Lima", "9999-12-31T23:59")])
def test_a_moment_at_the_end_of_the_calendar_is_refused_in_a_sentence(
    console: Console, running: Match, host: Any, zone: str, moment: str
) -> None:
    """Such a moment has no time in UTC."""
    host.time_zone = zone
    host.save()
    ann = place(running, "ann")
    token = f"{ann.pk}:{ann.user_id}:0"
    for name, fields in (
        ("away", {"place": token, "since": moment, "until": moment}),
        ("away", {"place": token, "since": "2031-05-17T15:00", "until": moment}),
        ("extend", {"when": "at", "at": moment}),
        ("pause", {"when": "at", "at": moment}),
    ):
        assert "What will happen" not in console.ask(name, **fields), name


NO_STARTS = [
    ("", "Say when the match begins."),
    ("tomorrow", "Enter a day and a time, such as"),
    ("2031-05-17T14:59", "That is in the past: it is now Sat 17 May, 13:00 UTC."),
    ("2033-05-17T15:00", "more than a year ahead"),
    ("9999-12-31T23:59", "more than a year ahead"),
    ("0001-01-01T00:00", "That is in the past"),
]


def test_a_start_is_a_moment_ahead_in_the_hosts_zone(console: Console, draft: Match, host: Any) -> None:
    for starts_at, said in NO_STARTS:
        assert said in console.ask("publish", starts_at=starts_at)
    Match.objects.filter(pk=draft.pk).update(usual_hour="20:00", usual_zone="Europe/Berlin")
    change_players(draft, host, [PlayerChange(None, {"is_bot": True, "garnets": 5}) for _ in range(3)])
    asked = console.ask("publish", starts_at="2031-05-17T18:00")
    assert "It does not begin at its usual hour, 20:00 in Europe/Berlin." in asked
    assert "does not exist" not in asked


def test_taking_back_a_correction_names_it(console: Console, running: Match) -> None:
    console.do("correct", player=place(running, "ann").pk, asset="garnet", amount="2", reason="oops")
    assert "You take this back: Gave 2 garnets to ann: oops" in console.ask("undo", row=running.log_count)
    console.do("undo", row=running.log_count)
    assert "It has already been taken back." in console.ask("undo", row=running.log_count - 1)
