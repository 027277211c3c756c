"""Whatever somebody changes past the log of a season, `verify` finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import time, timedelta

import pytest
from django.db import models

from seasons.models import Season, SeasonEntry, SeasonNews, SeasonRole
from seasons.services import log
from seasons.services.verifying import verify
from tests.services.conftest import person
from tests.trust.fields import fields_of, label
from tests.trust.tampering import erase, found, other
from tests.trust.worlds import OF_SEASONS, rows_of

pytestmark = pytest.mark.django_db


def test_an_honest_season_agrees_with_its_log(season: Season) -> None:
    assert verify(season) == []


@pytest.mark.parametrize("model", [each for each in OF_SEASONS if each is not SeasonRole], ids=label)
def test_every_field_that_is_changed_past_the_log_is_found(season: Season, model: type[models.Model]) -> None:
    missed = []
    for field in fields_of(model):
        row = rows_of(model, season).order_by("pk").first()
        place, value = model._default_manager.filter(pk=row.pk), other(field, field.value_from_object(row))
        if found(verify, season, lambda: place.update(**{field.attname: value})) == []:  # noqa: B023
            missed.append(f"{label(model)}.{field.attname}")
    assert missed == []


@pytest.mark.parametrize("model", [each for each in OF_SEASONS if each not in (Season, SeasonRole)], ids=label)
def test_every_row_that_is_taken_out_is_found(season: Season, model: type[models.Model]) -> None:
    rows = list(rows_of(model, season))
    some = {row.pk: row for row in (rows[0], rows[len(rows) // 2], rows[-1])}.values()
    assert [row.pk for row in some if found(verify, season, lambda: erase(row)) == []] == []  # noqa: B023


def test_a_host_who_is_added_past_the_log_is_found(season: Season) -> None:
    stranger, now = person("another"), season.created_at
    facts = {"season": season, "user": stranger, "role": SeasonRole.Role.OWNER, "since": now}
    assert found(verify, season, lambda: SeasonRole.objects.create(**facts))


# -- what no single field shows ------------------------------------------------------------------------


def exchange(rows: list[models.Model], fields: list[str]) -> None:
    """What the first of these rows has in some fields the last one has now, and the other way round."""
    one, other = rows[0], rows[-1]
    manager, values = (
        type(one)._default_manager,
        [{name: getattr(each, name) for name in fields} for each in (one, other)],
    )
    manager.filter(pk=one.pk).update(**values[1])
    manager.filter(pk=other.pk).update(**values[0])


def change_places(rows: list[models.Model]) -> None:
    exchange(rows, [field.attname for field in rows[0]._meta.concrete_fields if not field.primary_key])


def give(season: Season) -> None:
    """An entry of the ledger, and the account in the state with it."""
    entry = season.ledger.exclude(receiver=None).filter(asset="garnet").latest("pk")
    SeasonEntry.objects.filter(pk=entry.pk).update(amount=entry.amount + 5)
    state = json.loads(season.state)
    state["purses"][entry.receiver.handle]["garnet"] += 5
    Season.objects.filter(pk=season.pk).update(state=json.dumps(state))


def cut_the_tail(season: Season, count: int) -> None:
    """The last rows, all that followed from them, and a head that fits."""
    for row in season.log.order_by("-number")[:count]:
        SeasonEntry.objects.filter(row=row).delete()
        SeasonNews.objects.filter(row=row).delete()
        erase(row)
    last = season.log.order_by("-number").first()
    Season.objects.filter(pk=season.pk).update(log_count=last.number, log_head=last.hash)


def forget_everything(season: Season) -> None:
    """As if it had never begun."""
    cut_the_tail(season, season.log_count - 1)
    first = season.log.get()
    SeasonEntry.objects.filter(row=first).delete()
    SeasonNews.objects.filter(row=first).delete()
    erase(first)
    never = {"status": "draft", "state": "", "log_count": 0, "log_head": "", "next_deadline_at": None}
    Season.objects.filter(pk=season.pk).update(**never)


def rewrite(season: Season) -> None:
    """Somebody else was voted out; every hash behind it is made again."""
    row = season.log.filter(payload__contains="name_opponent").first() or season.log.all()[1]
    row.payload = row.payload.replace('"cat"', '"bob"').replace('"fay"', '"eve"')
    before = season.log.get(number=row.number - 1).hash
    for each in (row, *season.log.filter(number__gt=row.number).order_by("number")):
        each.previous_hash = before
        each.hash = before = log.plain(each).hash()
        each.save()
    Season.objects.filter(pk=season.pk).update(log_head=before)


SPECIAL: dict[str, Callable[[Season], object]] = {
    "an entry, and the account with it": give,
    "two entries change places": lambda s: change_places(list(s.ledger.order_by("pk"))),
    "two news change places": lambda s: change_places(list(s.news.order_by("pk"))),
    "two rows of the log change places": lambda s: exchange(list(s.log.order_by("number"))[1:3], ["kind", "payload"]),
    "two members swap fates": lambda s: exchange(list(s.cast.order_by("pk")), ["status", "place"]),
    "two members swap opening garnets": lambda s: exchange(list(s.cast.order_by("pk"))[:2], ["garnets"]),
    "one more member": lambda s: s.cast.create(handle="zed", is_bot=True),
    "news that nobody told": lambda s: s.news.create(
        row=s.log.latest("number"), audience="everyone", kind="ended", data={}, at=s.created_at
    ),
    "settings that were never chosen": lambda s: Season.objects.filter(pk=s.pk).update(
        settings={**s.settings, "loser_garnets": "kept"}
    ),
    "an usual hour and its zone": lambda s: Season.objects.filter(pk=s.pk).update(
        usual_hour=time(3), zone="Asia/Tokyo"
    ),
    "a deadline a day later": lambda s: Season.objects.filter(pk=s.pk).update(
        next_deadline_at=(s.next_deadline_at or s.created_at) + timedelta(days=1)
    ),
    "two matches change places": lambda s: exchange(list(s.matches.order_by("number"))[:2], ["opened_at", "over_at"]),
    "the last row gone": lambda s: cut_the_tail(s, 1),
    "the last three rows gone": lambda s: cut_the_tail(s, 3),
    "the whole log gone": forget_everything,
    "another vote with new hashes": rewrite,
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_what_no_single_field_shows_is_found(season: Season, kind: str) -> None:
    assert found(verify, season, lambda: SPECIAL[kind](season))
