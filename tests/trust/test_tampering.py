"""What somebody changes past the log of a match, `verify` finds: state, clock, ledger, bids, players, result."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import F

from matches.models import Announcement, Bid, Holding, LedgerEntry, Match, OutboxRow, Player, PlayerResult, clock
from matches.services import blood
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.services.conftest import DAY
from tests.trust.tampering import erase, found
from tests.trust.worlds import Worlds

pytestmark = pytest.mark.django_db

Change = Callable[[Match], object]


def test_honest_matches_agree_with_their_logs(worlds: Worlds) -> None:
    assert [verify(table.match) for table in (worlds.running, worlds.over)] == [[], []]


def update(**fields: object) -> Change:
    return lambda match: Match.objects.filter(pk=match.pk).update(**fields)


def give(asset: str) -> Change:
    """An entry and the holding after it, as the site itself would write them."""

    def change(match: Match) -> None:
        entry = match.ledger.filter(asset=asset).exclude(receiver=None).order_by("-pk")[0]
        LedgerEntry.objects.filter(pk=entry.pk).update(amount=F("amount") + 10)
        Holding.objects.filter(player=entry.receiver_id, asset=asset).update(amount=F("amount") + 10)

    return change


def cut_the_tail(match: Match, count: int) -> None:
    """The last rows and all that followed from them are gone, and the head is that of the row before."""
    for row in match.log.order_by("-number")[:count]:
        for model in (OutboxRow, Announcement, LedgerEntry):
            model.objects.filter(submission=row).delete()
        erase(row)
    last = match.log.order_by("-number")[0]
    Match.objects.filter(pk=match.pk).update(log_count=last.number, log_head=last.hash)


def forget_everything(match: Match) -> None:
    for row in match.log.all():
        erase(row)
    Match.objects.filter(pk=match.pk).update(log_count=0, log_head="", state="")


def another_promise(match: Match) -> None:
    """Another seed, which the log has promised from the beginning; every hash is made again."""
    previous = ""
    for row in match.log.select_related("player").order_by("number"):
        row.payload = row.payload.replace(match.seed_hash, "0" * 64)
        row.previous_hash, row.receipt_hash = previous, row.receipt()
        row.hash = previous = row.row_hash()
        row.save()
    Match.objects.filter(pk=match.pk).update(log_head=previous)


RUNNING: dict[str, tuple[Change, str]] = {
    "a word of the log": (lambda m: m.log.filter(number=3).update(payload="{}"), "breaks at row 3"),
    "who acted": (lambda m: m.log.filter(kind="action").update(user=None), "chain of hashes breaks"),
    "the last row gone": (lambda m: cut_the_tail(m, 1), "The match"),
    "the whole log gone": (forget_everything, "The match is open, and has no state."),
    "a log that says less": (update(log_count=2), "chain of hashes breaks"),
    "another seed": (update(seed="0" * 64), "The seed is not"),
    "another promise": (another_promise, "The seed is not"),
    "the state": (update(state="{}"), "The stored state"),
    "over": (update(status="finished"), "but its log says that its phase is"),
    "cancelled": (update(status="cancelled"), "The match is cancelled"),
    "a draft again": (update(status="draft"), "The match is draft"),
    "the clock a day later": (update(anchor_at=F("anchor_at") + DAY), "The match's clock"),
    "an entry of an action": (
        lambda m: m.ledger.filter(submission__kind="action").update(amount=99),
        "The ledger does not match",
    ),
    "garnets with entry and holding": (give("garnet"), "The ledger does not match"),
    "blood garnets with entry and holding": (give("blood_garnet"), "The ledger of blood garnets"),
    "an entry gone": (lambda m: erase(m.ledger.order_by("pk")[0]), "The ledger"),
    "one more holding": (
        lambda m: Holding.objects.create(player=m.players.get(handle="cat"), asset="gold", amount=3),
        "A balance of gold is not the sum of its entries.",
    ),
    "a holding": (lambda m: Holding.objects.filter(player__match=m).update(amount=F("amount") + 1), "A balance of"),
    "one more player": (lambda m: Player.objects.create(match=m, handle="eve", is_bot=True), "eve does not match"),
    "a team": (lambda m: m.players.filter(handle="ann").update(team="red"), "ann does not match"),
    "actions that nobody counts": (lambda m: m.players.update(action_count=9), "a different number of actions by"),
    "won before the end": (
        lambda m: PlayerResult.objects.create(player=m.players.all()[0], won=True, tokens=1, candidate=False),
        "The result of the players",
    ),
}

OVER: dict[str, tuple[Change, str]] = {
    "a bid": (lambda m: m.bids.update(amount=99), "The auction book"),
    "a bid that somebody else placed": (lambda m: m.bids.update(player=m.players.last()), "The auction book"),
    "a bid gone": (lambda m: Bid.objects.filter(match=m).delete(), "The auction book"),
    "open again": (update(status="open"), "but its log says that its phase is"),
    "another winner": (
        lambda m: PlayerResult.objects.filter(player__match=m).update(won=True, tokens=F("tokens") + 1),
        "The result of the players",
    ),
    "no result": (lambda m: PlayerResult.objects.filter(player__match=m).delete(), "The result of the players"),
    "what became of a bid": (lambda m: m.bids.update(status="lost"), "The auction book"),
    "the last three rows gone": (lambda m: cut_the_tail(m, 3), "The match"),
}


@pytest.mark.parametrize("kind", RUNNING)
def test_a_change_of_a_match_that_runs_is_found_and_named(worlds: Worlds, kind: str) -> None:
    change, said = RUNNING[kind]
    assert said in found(verify, worlds.running.match, change)


@pytest.mark.parametrize("kind", OVER)
def test_a_change_of_a_match_that_is_over_is_found_and_named(worlds: Worlds, kind: str) -> None:
    change, said = OVER[kind]
    assert said in found(verify, worlds.over.match, change)


def test_growth_of_blood_garnets_is_worked_out_again(worlds: Worlds) -> None:
    def change(match: Match) -> None:
        assert blood.grow(match.pk) == 9
        assert verify(Match.objects.get(pk=match.pk)) == []
        match.ledger.filter(reason="blood_market").update(amount=F("amount") + 1)

    with clock.fixed(START + 9 * DAY):
        assert "The ledger of blood garnets" in found(verify, worlds.over.match, change)


def test_a_log_that_cannot_be_read_is_said(worlds: Worlds) -> None:
    def spoil(match: Match) -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE matches_submission SET received_at = 'nonsense' WHERE match_id = %s", [match.pk])

    assert "The log cannot be read" in found(verify, worlds.running.match, spoil)
