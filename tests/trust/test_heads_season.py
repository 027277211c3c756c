"""A season's log that was rewritten as a whole is found too: its head is published with whatever everybody is told."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import deletion
from accounts.models import User
from matches.models import clock
from matches.proof.check_export import OK, prove
from notices.channels.base import Outgoing
from notices.models import Address, Delivery, Notice
from seasons import notices
from seasons.models import Season, SeasonRow
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify

pytestmark = pytest.mark.django_db

START = datetime(2031, 5, 17, 13, tzinfo=UTC)
OUT = {"out": "bob", "reason": "He has moved away."}


@pytest.fixture
def season() -> Iterator[Season]:
    """ann, bob and cat, who are told everything by mail; holly hosts it, and it has just begun."""
    with clock.fixed(START):
        yield begun()


def begun() -> Season:
    host, _ = User.objects.get_or_create(username="holly", is_staff=True)
    season = create_season("Autumn", host)
    for name in ("ann", "bob", "cat"):
        add_member(season, host, name, user=User.objects.get_or_create(username=name)[0])
    running.begin(season, host)
    season.refresh_from_db()
    return season


def command(season: Season, said: dict[str, Any]) -> None:
    running.command(season, User.objects.get(username="holly"), said)
    season.refresh_from_db()


def shown(season: Season) -> Any:
    return Client().get(f"/api/v1/seasons/{season.public_id}/").json()["fingerprint"]


def correct(season: Season, amount: int) -> None:
    command(season, {"correct": {"player": "ann", "asset": "garnet", "amount": amount}, "reason": "A quiz."})


def rewrite(season: Season) -> None:
    """A second earlier nobody had done the second thing: in a chain that is whole again."""
    row = season.log.get(number=2)
    SeasonRow.objects.filter(pk=row.pk).update(received_at=row.received_at + timedelta(seconds=1))
    before = season.log.get(number=1).hash
    for each in season.log.filter(number__gt=1).order_by("number"):
        each.previous_hash = before
        each.hash = before = each.row_hash()
        each.save(update_fields=["previous_hash", "hash"])
    Season.objects.filter(pk=season.pk).update(log_head=before)
    season.refresh_from_db()


def test_it_changes_with_everything_that_everybody_is_told(season: Season) -> None:
    seen = [shown(season)["hash"]]
    assert shown(season) == {"hash": season.log.get(number=1).hash, "at": START.isoformat().replace("+00:00", "Z")}
    for said in ({"correct": {"player": "ann", "asset": "garnet", "amount": 2}, "reason": "A quiz."}, OUT):
        command(season, said)
        assert shown(season)["hash"] == season.log_head
        assert season.log_head not in seen
        seen.append(season.log_head)


def test_what_only_some_are_told_comes_without_one(season: Season) -> None:
    correct(season, 2)
    notices.tell()
    notice = Notice.objects.get(event="season_news", text__contains="quiz", user__username="ann")
    outgoing = Outgoing.of(
        [Delivery(notice=notice, address=Address(user=notice.user, channel="email", target="ann@example.org"))]
    )
    assert [item.head for item in outgoing.items] == [""]


def test_at_the_end_it_is_that_of_the_last_row_and_proves_the_file(season: Season) -> None:
    before = shown(season)["hash"]
    command(season, {"end": True})
    assert shown(season)["hash"] == season.log_head
    deletion.delete(User.objects.get(username="cat"))
    season.refresh_from_db()
    assert shown(season)["hash"] == season.log_head
    assert verify(season) == []
    file = Client().get(f"/api/v1/seasons/{season.public_id}/export/").json()
    assert prove(file, [before, season.log_head])[0] == OK


class TestALogThatWasWrittenAnew:
    @pytest.fixture
    def published(self, season: Season) -> str:
        command(season, OUT)
        correct(season, 2)
        return str(shown(season)["hash"])

    def verified(self, season: Season, head: str) -> str:
        said = StringIO()
        call_command("verify", season.public_id, head=[head], stdout=said)
        return said.getvalue()

    def test_does_not_contain_it_any_more(self, season: Season, published: str) -> None:
        rewrite(season)
        assert verify(season) == []  # by itself it is perfect
        with pytest.raises(CommandError, match="1 of 1"):
            self.verified(season, published)
