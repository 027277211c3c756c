"""What somebody changes past the log of a season, `verify` finds."""

import json
from collections.abc import Callable

import pytest

from seasons.models import Season, SeasonEntry, SeasonNews
from seasons.services.verification import verify
from tests.trust.tampering import erase, exchange, found

pytestmark = pytest.mark.django_db


def test_an_honest_season_agrees_with_its_log(season: Season) -> None:
    assert verify(season) == []


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
    last = season.log.order_by("-number")[0]
    Season.objects.filter(pk=season.pk).update(log_count=last.number, log_head=last.hash)


def rewrite(season: Season) -> None:
    """Somebody else was voted out; every hash behind it is made again."""
    row = season.log.filter(payload__contains="name_opponent").first() or season.log.all()[1]
    row.payload = row.payload.replace('"cat"', '"bob"').replace('"fay"', '"eve"')
    before = season.log.get(number=row.number - 1).hash
    for each in (row, *season.log.filter(number__gt=row.number).order_by("number")):
        each.previous_hash = before
        each.hash = before = each.row_hash()
        each.save()
    Season.objects.filter(pk=season.pk).update(log_head=before)


KINDS: dict[str, Callable[[Season], object]] = {
    "an entry, and the account with it": give,
    "an entry gone": lambda s: erase(s.ledger.order_by("pk")[0]),
    "two rows of the log change places": lambda s: exchange(list(s.log.order_by("number"))[1:3], "kind", "payload"),
    "two members swap fates": lambda s: exchange(list(s.cast.order_by("pk")), "status", "place"),
    "one more member": lambda s: s.cast.create(handle="zed", is_bot=True),
    "a draft again": lambda s: Season.objects.filter(pk=s.pk).update(status="draft"),
    "the last row gone": lambda s: cut_the_tail(s, 1),
    "another vote with new hashes": rewrite,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_changed_is_found(season: Season, kind: str) -> None:
    assert found(verify, season, KINDS[kind])
