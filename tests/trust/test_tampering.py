"""Whatever somebody changes past the log of a match, `verify` finds it: every field, every row, and what nobody may
add."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, models
from django.db.models import F

from matches.models import (
    Announcement,
    Holding,
    Insider,
    LedgerEntry,
    Match,
    MatchRecord,
    OutboxRow,
    Player,
    PlayerResult,
    Result,
    Submission,
)
from matches.services.replay import differences, verify
from matches.services.storage import log
from tests.fixtures.present import START
from tests.services.conftest import DAY, person
from tests.trust.fields import NOT_COVERED, OUTSIDE, belonging, fields_of, label
from tests.trust.tampering import erase, found, other
from tests.trust.worlds import OF_MATCHES, Worlds, rows_of

pytestmark = pytest.mark.django_db


def test_honest_matches_agree_with_their_logs(worlds: Worlds) -> None:
    assert [verify(match) for match in worlds.matches] == [[], [], [], []]


# -- fields --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", OF_MATCHES, ids=label)
def test_every_field_that_is_changed_past_the_log_is_found(worlds: Worlds, model: type[models.Model]) -> None:
    missed = []
    for field in fields_of(model):
        for match in worlds.matches:
            row = rows_of(model, match).order_by("-pk").first()
            if row is None:
                continue
            place = model._default_manager.filter(pk=row.pk)
            value = other(field, field.value_from_object(row))
            if found(differences, match, lambda: place.update(**{field.attname: value})) == []:  # noqa: B023
                missed.append(f"{label(model)}.{field.attname} of {match.pk}")
            break
        else:
            missed.append(f"{label(model)}: no row in any world")
    assert missed == []


@pytest.mark.parametrize("model", [each for each in OF_MATCHES if each not in (Match, Result, OutboxRow)], ids=label)
def test_every_row_that_is_taken_out_is_found(worlds: Worlds, model: type[models.Model]) -> None:
    missed = []
    for match in worlds.matches:
        rows = list(rows_of(model, match))
        for row in rows[len(rows) // 2 :][:1]:
            if found(differences, match, lambda: erase(row)) == []:  # noqa: B023
                missed.append(f"{label(model)} {row.pk}")
    assert missed == []


def test_the_fields_that_nothing_compares_are_those_that_are_listed() -> None:
    known = {f"{label(each)}.{field.attname}" for each in belonging() for field in each._meta.concrete_fields}
    assert set(NOT_COVERED) <= known
    assert set(OUTSIDE) <= set(map(label, belonging()))
    tried = {each for each in map(label, belonging()) if each.startswith(("matches.", "seasons."))}
    assert set(map(label, belonging())) <= tried | set(OUTSIDE)
    assert all(reason and not reason.endswith(".") for reason in (*NOT_COVERED.values(), *OUTSIDE.values()))


# -- what no single field shows ------------------------------------------------------------------------


def swap_accounts(match: Match) -> None:
    ann, bob = (match.players.get(handle=handle) for handle in ("ann", "bob"))
    Player.objects.filter(pk=ann.pk).update(user=None)
    Player.objects.filter(pk=bob.pk).update(user=ann.user_id)
    Player.objects.filter(pk=ann.pk).update(user=bob.user_id)


def give_blood(match: Match) -> None:
    """An entry and the holding after it, as the site itself would write them."""
    entry = match.ledger.filter(asset="blood_garnet").latest("pk")
    LedgerEntry.objects.filter(pk=entry.pk).update(amount=F("amount") + 10)
    Holding.objects.filter(player=entry.receiver_id, asset="blood_garnet").update(amount=F("amount") + 10)


def swap_rows(first: models.Model, second: models.Model) -> None:
    """Everything but the ids."""
    fields = [field.attname for field in first._meta.concrete_fields if not field.primary_key]
    rows, free = type(first)._default_manager, {"token": "free"} if "token" in fields else {}
    values = [{name: getattr(each, name) for name in fields} for each in (first, second)]
    rows.filter(pk=first.pk).update(**values[1] | free)
    rows.filter(pk=second.pk).update(**values[0])
    rows.filter(pk=first.pk).update(**values[1])


def swap_ends(match: Match, rows: Any) -> None:
    """The first and the last row of an action or deadline."""
    found = rows.exclude(submission__kind="command").order_by("pk")
    swap_rows(found.first(), found.last())


def swap_commands(match: Match) -> None:
    """What the first and the last command have told."""
    found = match.announcements.filter(submission__kind="command").order_by("pk")
    swap_rows(found.first(), found.last())


def tell(match: Match, kind: str, row: Submission | None) -> None:
    facts = {"match": match, "submission": row, "audience": "everyone", "kind": kind, "data": {}}
    Announcement.objects.create(**facts, at=START, match_time=timedelta())


def cut_the_tail(match: Match, count: int) -> None:
    """The last rows and all that followed from them are gone, and the head is that of the row before."""
    for row in match.log.order_by("-number")[:count]:
        OutboxRow.objects.filter(submission=row).delete()
        MatchRecord.objects.filter(submission=row).delete()
        for model in (Announcement, LedgerEntry):
            model.objects.filter(submission=row).delete()
        erase(row)
    last = match.log.order_by("-number").first()
    Match.objects.filter(pk=match.pk).update(log_count=last.number, log_head=last.hash)


def forget_everything(match: Match) -> None:
    for row in match.log.all():
        erase(row)
    Match.objects.filter(pk=match.pk).update(log_count=0, log_head="", state="")


def exchange(one: models.Model, other: models.Model, field: str) -> None:
    """What the one has in a field the other has now; `free` in between, where no two may have the same."""
    rows, values = type(one)._default_manager, [getattr(each, field) for each in (one, other)]
    free = "free" if type(one)._meta.get_field(field).get_internal_type() == "CharField" else values[0]
    for row, value in ((one, free), (other, values[0]), (one, values[1])):
        rows.filter(pk=row.pk).update(**{field: value})


def back_to_draft(match: Match) -> None:
    """As if it had never been announced, with nothing left of its log."""
    forget_everything(match)
    never = {"status": "draft", "opened_at": None, "anchor_at": None, "next_deadline_at": None, "starts_at": None}
    Match.objects.filter(pk=match.pk).update(**never)


def sum_up_early(match: Match) -> None:
    """The last command says what it could not know yet; every hash behind it is made again."""
    row = match.log.filter(kind="command").order_by("-number").first()
    row.payload = log.canonical({"command": "sum_up", "sha256": "0" * 64})
    for each in (row, *match.log.filter(number__gt=row.number).select_related("player").order_by("number")):
        before = match.log.filter(number=each.number - 1).first()
        each.previous_hash, each.receipt_hash = before.hash, log.receipt_hash(each)
        each.hash = log.row_hash(each)
        each.save()
    Match.objects.filter(pk=match.pk).update(log_head=match.log.order_by("-number").first().hash)


SPECIAL: dict[str, tuple[Callable[[Match], object], str]] = {
    "two players swap accounts": (swap_accounts, "The account of player ann has been changed"),
    "blood garnets with entry and holding": (give_blood, "What was told or posted in rows"),
    "news of a command": (lambda m: tell(m, "match_paused", m.log.filter(kind="command").last()), "told or posted"),
    "news of an action": (lambda m: tell(m, "number_gone", m.log.filter(kind="action").last()), "1 too many"),
    "two entries of the ledger change places": (lambda m: swap_ends(m, m.ledger), "not in the order of the log"),
    "two announcements change places": (lambda m: swap_ends(m, m.announcements), "not in the order of the log"),
    "two commands' announcements change places": (swap_commands, "not in the order of the log"),
    "what everybody was told is one player's": (
        lambda m: Announcement.objects.filter(pk=m.announcements.order_by("pk")[0].pk).update(player=m.players.last()),
        "to another player than it was told to",
    ),
    "one more host": (lambda m: m.hosts.add(person("intruder")), "The hosts have been changed"),
    "no hosts": (lambda m: m.hosts.clear(), "The hosts have been changed"),
    "one more player": (lambda m: Player.objects.create(match=m, handle="eve", is_bot=True), "of player eve"),
    "who has looked in is forgotten": (lambda m: Insider.objects.filter(match=m).delete(), "Who may never play here"),
    "one more holding": (
        lambda m: Holding.objects.create(player=m.players.get(handle="cat"), asset="gold", amount=3),
        "A holding of gold is not the sum of its entries.",
    ),
    "a deadline a day later": (
        lambda m: Match.objects.filter(pk=m.pk).update(next_deadline_at=F("next_deadline_at") + DAY),
        "The next deadline is not where the state has it.",
    ),
    "clock and deadline a day later": (
        lambda m: Match.objects.filter(pk=m.pk).update(
            next_deadline_at=F("next_deadline_at") + DAY, anchor_at=F("anchor_at") + DAY
        ),
        "The match's clock is not what the log gives.",
    ),
    "a log that sums it up before the end": (sum_up_early, "By its log the match is over"),
    "no fingerprint": (
        lambda m: Match.objects.filter(pk=m.pk).update(closed_head="", closed_at=None),
        "The fingerprint that everybody is shown",
    ),
    "cancelled": (lambda m: Match.objects.filter(pk=m.pk).update(status="cancelled"), "The match is cancelled"),
    "the last row gone": (lambda m: cut_the_tail(m, 1), "The match"),
    "the last three rows gone": (lambda m: cut_the_tail(m, 3), "The match"),
    "the whole log gone": (forget_everything, "The match is open, and its log is empty."),
    "a player has won before the end": (
        lambda m: PlayerResult.objects.create(player=m.players.first(), won=True, tokens=1, candidate=False),
        "The result of the players",
    ),
    "a result before the end": (lambda m: Result.objects.create(match=m, draws=[]), "The stored result"),
    "back to a draft": (back_to_draft, "records that the log does not cover"),
    "two players swap handles": (
        lambda m: exchange(m.players.get(handle="ann"), m.players.get(handle="bob"), "handle"),
        "The log's chain of hashes breaks",
    ),
    "two players swap names": (
        lambda m: exchange(m.players.get(handle="ann"), m.players.get(handle="bob"), "name"),
        "The name of player ann has been changed",
    ),
}

OF_THE_COMING = {
    "it starts a day later": (
        lambda m: Match.objects.filter(pk=m.pk).update(
            starts_at=F("starts_at") + DAY, next_deadline_at=F("next_deadline_at") + DAY
        ),
        "The match's starts at has been changed",
    ),
    "other settings": (lambda m: Match.objects.filter(pk=m.pk).update(config={"length": 3600}), "config"),
    "a seed of one's choice": (lambda m: Match.objects.filter(pk=m.pk).update(seed="0" * 64), "seed"),
    "a place for somebody else": (
        lambda m: m.players.filter(handle="ann").update(user=person("friend")),
        "The account of player ann",
    ),
    "opening garnets": (lambda m: m.players.filter(handle="ann").update(garnets=9), "garnets"),
    "the invitation's log gone": (forget_everything, "its log is empty"),
    "a team": (lambda m: m.players.filter(handle="ann").update(team="red"), "team"),
    "a pause": (lambda m: Match.objects.filter(pk=m.pk).update(paused_at=START), "but its clock has"),
    "a fingerprint": (lambda m: Match.objects.filter(pk=m.pk).update(closed_head="0" * 64), "did not end when"),
    "an end": (lambda m: Match.objects.filter(pk=m.pk).update(finished_at=START), "did not end when"),
    "actions": (lambda m: m.players.filter(handle="ann").update(action_count=1), "somebody has acted"),
    "a holding": (
        lambda m: Holding.objects.create(player=m.players.get(handle="ann"), asset="gold", amount=3),
        "owns something in it",
    ),
}
"""The same of a match that is announced: its start, and all that people agree to who come."""

OF_THE_OFF = {
    "news of another row": (
        lambda m: OutboxRow.objects.filter(match=m, pk=OutboxRow.objects.filter(match=m).latest("pk").pk).update(
            submission=m.log.order_by("number")[0]
        ),
        "never told here",
    ),
}
"""The same of a match that was called off before it began."""

OF_THE_OVER = {"two announcements change places", "no fingerprint"}
"""Kinds that need a match that has told something by its rules several times."""


def test_a_log_that_cannot_be_read_is_said(worlds: Worlds) -> None:
    match = worlds.running.match

    def spoil() -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE matches_submission SET received_at = 'nonsense' WHERE match_id = %s", [match.pk])

    assert "The log cannot be read" in " ".join(found(verify, match, spoil) or [])


@pytest.mark.parametrize("kind", SPECIAL)
def test_what_no_single_field_shows_is_found_and_named(worlds: Worlds, kind: str) -> None:
    change, said = SPECIAL[kind]
    match = (worlds.over if kind in OF_THE_OVER else worlds.running).match
    assert said in " ".join(found(verify, match, lambda: change(match)) or [])


@pytest.mark.parametrize("kind", OF_THE_COMING)
def test_what_is_changed_before_the_start_is_found_and_named(worlds: Worlds, kind: str) -> None:
    change, said = OF_THE_COMING[kind]
    match = worlds.coming.match
    assert said in " ".join(found(verify, match, lambda: change(match)) or [])


@pytest.mark.parametrize("kind", OF_THE_OFF)
def test_what_is_changed_of_a_match_that_was_called_off_is_found_and_named(worlds: Worlds, kind: str) -> None:
    change, said = OF_THE_OFF[kind]
    match = worlds.off.match
    assert said in " ".join(found(verify, match, lambda: change(match)) or [])
