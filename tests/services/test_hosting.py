"""Corrections, decisions in a player's place, and looks at sealed submissions."""

import pytest

from matches.admin.record_lists import row_in_words
from matches.models import Holding, LedgerEntry
from matches.queries import feed
from matches.queries import matches as match_queries
from matches.queries.host_acts import host_act_rows, host_acts
from matches.services import hosting
from matches.services.commands import AlreadyDone, NotAHost
from matches.services.errors import CommandRefused
from matches.services.hosting import places
from matches.services.replay import verify
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db]


def correct(table: Table, handle: str, asset: str, amount: int, reason: str = "a mistake", **more) -> None:
    hosting.correct_balance(table.match, table.host, table.player(handle), asset, amount, reason, **more)


class TestCorrections:
    def test_a_correction_is_an_entry_with_its_reason_and_the_player_reads_it(self, table):
        correct(table, "ann", "garnet", -3, "counted twice")
        entry = LedgerEntry.objects.latest("pk")
        assert (entry.giver, entry.receiver, entry.amount) == (table.player("ann"), None, 3)
        assert (entry.reason, entry.note) == ("correction", "counted twice")
        assert table.holding("ann", "garnet") == 7
        (line,) = [line for line in feed.feed(table.match, table.player("ann")) if line.mine]
        assert "takes 3 garnets from ann" in line.text
        assert not verify(table.match)

    def test_the_others_do_not_learn_of_it(self, table):
        before = table.match.public_version
        correct(table, "ann", "garnet", 5)
        assert all(line.kind != "balance_corrected" for line in feed.feed(table.match, table.player("bob")))
        assert all(line.kind != "balance_corrected" for line in feed.feed(table.match, None))
        assert table.match.public_version == before

    @pytest.mark.parametrize(
        ("asset", "amount", "reason", "says"),
        [
            ("garnet", 0, "x", "Enter how much"),
            ("garnet", 5, "  ", "Say why"),
            ("gold", 5, "x", "no asset gold"),
        ],
    )
    def test_what_is_no_correction_is_refused_and_changes_nothing(self, table, asset, amount, reason, says):
        before = table.match.log_head
        with pytest.raises(CommandRefused, match=says):
            correct(table, "ann", asset, amount, reason)
        assert table.match.log_head == before

    @pytest.mark.parametrize(
        ("amount", "says"), [(-11, "does not have that much free"), (10**13, "No (balance|correction) can")]
    )
    def test_what_the_rules_refuse_changes_nothing_and_is_in_the_log(self, table, amount, says):
        """Trying would tell how much of a balance is sealed, so every try can be seen."""
        entries, state = LedgerEntry.objects.count(), table.state
        with pytest.raises(CommandRefused, match=says):
            correct(table, "ann", "garnet", amount, "let me see", key="once")
        row = table.match.log.latest("number")
        assert (row.actor, row.accepted) == (f"host:{table.host.username}", False)
        assert f'"amount":{amount}' in row.payload
        assert (LedgerEntry.objects.count(), table.state) == (entries, state)
        assert not table.match.announcements.filter(kind="balance_corrected")
        assert "Refused" in row_in_words(row, table.match)
        (act, *_) = host_acts(table.match, host_act_rows(table.match))  # which everybody reads
        assert (act.what, act.reason) == (
            "tried to correct one of ann's balances (refused: nothing changed)",
            "let me see",
        )
        assert not verify(table.match)
        correct(table, "ann", "garnet", 1, key="once")  # the same form, corrected
        assert table.holding("ann", "garnet") == 11

    def test_on_credit_garnets_can_be_taken_below_zero_and_the_hosts_see_the_debt(self, present):
        table = Table(present, garnet_credit=True).open()
        correct(table, "ann", "garnet", -15)
        assert table.holding("ann", "garnet") == -5
        assert [holding.player.handle for holding in match_queries.in_debt(table.match)] == ["ann"]
        assert not verify(table.match)

    def test_after_a_cancel_garnets_priority_and_blood_garnets_can_be_corrected(self, table):
        table.at(HOUR)
        hosting.cancel(table.match, table.host, "too few")
        correct(table, "ann", "garnet", -3)
        correct(table, "ann", "priority", 2)
        correct(table, "ann", "blood_garnet", 5000)
        held = [table.holding("ann", asset) for asset in ("garnet", "priority", "blood_garnet")]
        assert held == [7, 3, 5000]
        with pytest.raises(CommandRefused, match="no asset chip"):
            correct(table, "ann", "chip", 1)
        assert table.match.status == "cancelled"
        assert not verify(table.match)

    def test_a_player_of_another_match_is_refused_even_under_the_same_handle(self, table, present):
        other = Table(present).open()
        for asset in ("garnet", "blood_garnet"):
            with pytest.raises(CommandRefused, match="no such player in this match"):
                hosting.correct_balance(table.match, table.host, other.player("ann"), asset, 5, "x")
        assert other.holding("ann", "garnet") == 10


class TestDecisionsInAPlayersPlace:
    @pytest.fixture
    def naming(self, table) -> Table:
        """ann has won alone and must name the candidate."""
        table.at(HOUR).act("ann", "bid", amount=3)
        return table.at(DAY).advance()

    def decide(self, table, handle, player, **more):
        action = {"type": "name_candidate", "player": player, **more}
        return hosting.decide_for(table.match, table.host, table.player(handle), action, "away")

    def test_the_log_names_the_host_and_everybody_is_told(self, naming):
        self.decide(naming, "ann", "bob")
        row = naming.match.log.filter(kind="action").latest("number")
        assert (row.actor, row.player.handle) == (f"host:{naming.host.username}", "ann")
        told = naming.match.announcements.filter(kind="decision_by_host", audience="everyone").get()
        assert told.data == {"player": "ann", "host": naming.host.username, "reason": "away"}
        assert not verify(naming.match)

    def test_a_decision_that_is_not_theirs_or_not_eligible_is_refused(self, naming):
        for handle, player in (("bob", "cat"), ("ann", "ann")):
            with pytest.raises(CommandRefused) as refusal:
                self.decide(naming, handle, player)
            assert refusal.value.code in ("not_your_decision", "not_eligible")

    def test_only_who_still_hosts_under_the_lock_decides(self, naming, monkeypatch):
        carl = person("carl")
        hosting.set_roles(naming.match, naming.host, [naming.host, carl])
        monkeypatch.setattr(places, "need_own", lambda *_: hosting.set_roles(naming.match, naming.host, [naming.host]))
        with pytest.raises(NotAHost):
            hosting.decide_for(naming.match, carl, naming.player("ann"), {"type": "name_candidate"}, "away")

    def test_a_vote_cast_by_a_host_does_not_tell_whose_it_was(self, present):
        table = Table(present, "ann bob cat dan").open()
        for handle in ("ann", "bob"):
            table.act(handle, "bid", amount=3)
        table.at(DAY).advance()
        hosting.decide_for(table.match, table.host, table.player("ann"), {"type": "vote", "player": "cat"}, "away")
        told = table.match.announcements.filter(kind="decision_by_host").order_by("pk")
        known = {"host": table.host.username, "reason": "away"}
        assert [item.data for item in told] == [known, {**known, "player": "ann"}]
        assert '"ann"' not in table.match.log.get(payload__contains='"decide"').payload


class TestLooks:
    def test_a_look_needs_a_reason_and_a_match_that_has_begun(self, table, present):
        with pytest.raises(CommandRefused, match="Say why"):
            hosting.peek(table.match, table.host, table.player("ann"), " ")
        draft = Table(present)
        with pytest.raises(CommandRefused, match="Nothing has been submitted"):
            hosting.peek(draft.match, draft.host, draft.player("ann"), "curious")

    def test_a_look_that_is_sent_twice_is_told_once(self, table):
        for _ in range(2):
            hosting.peek(table.match, table.host, table.player("ann"), "curious", key="one")
        table.act("ann", "bid", amount=3)
        with pytest.raises(AlreadyDone):
            hosting.peek(table.match, table.host, table.player("ann"), "curious", key="one")
        assert table.match.announcements.filter(kind="host_looked").count() == 1


@pytest.mark.both
def test_the_database_itself_refuses_a_holding_below_zero(table):
    from django.db import IntegrityError, transaction

    ann = Holding.objects.get(player=table.player("ann"), asset="garnet")
    with pytest.raises(IntegrityError), transaction.atomic():
        Holding.objects.filter(pk=ann.pk).update(amount=-1)
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.filter(receiver=table.player("ann")).update(amount=0)
