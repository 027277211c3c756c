"""With the rights of a running site on PostgreSQL, all of play and hosting works, and logs cannot be changed.

Real processes have a role of their own in test_processes.py; here one connection takes it.
"""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import ProgrammingError, connection, transaction

from accounts import deletion
from accounts.models import User
from genius_site import cleanup, database
from matches.models import Match, Submission, clock
from matches.services.creation import create_match, delete_draft
from matches.services.deadlines import advance
from matches.services.replay import verify
from seasons.models import Season
from seasons.services import drafts
from seasons.services.cast import add_member
from tests.fixtures.any_game import SLUG
from tests.seasons.played import three_matches
from tests.services.conftest import DAY, Table, person, register_tiny_game

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture(autouse=True)
def _as_the_site(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The role is made in the test's transaction, and gone after it."""
    register_tiny_game(monkeypatch)
    database.give_to("site_of_this_test", "a password")
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE site_of_this_test")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def test_a_match_is_played_from_its_draft_to_its_end(present: clock.FixedTime) -> None:
    table = Table(present).open()
    table.act("ann", "bid", key="k", amount=3)
    table.act("bob", "buy_chips", count=1)
    present.instant += 30 * DAY
    advance(table.match_id)
    assert table.match.status == Match.Status.FINISHED
    assert verify(table.match) == []
    deletion.delete(User.objects.get(pk=table.users["ann"].pk))
    assert verify(table.match) == []
    for change in ({"payload": "{}"}, {"accepted": False}, {"received_at": clock.now()}, {"number": 99}):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            Submission.objects.filter(match=table.match).update(**change)


def test_a_season_is_played_to_its_end_and_drafts_are_deleted() -> None:
    assert three_matches(end=True).status == Season.Status.ENDED
    host = person("drafts")
    delete_draft(create_match(SLUG, "A draft", hosts=(host,)), host)
    draft = drafts.create_season("A draft", host)
    add_member(draft, host, "ann")
    drafts.delete_draft(draft, host)
    assert not Match.objects.filter(title="A draft").exists()


def test_what_only_the_owner_may_delete_is_left(present: clock.FixedTime) -> None:
    table = Table(present).open()
    past = clock.now() - timedelta(days=99)
    Match.objects.update(is_demo=True, status=Match.Status.FINISHED, finished_at=past)
    assert "demo" not in cleanup.count(clock.now())
    assert "demo" not in cleanup.clear(clock.now())
    assert Match.objects.filter(pk=table.match_id).exists()
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
    assert cleanup.clear(clock.now())["demo"] == 1


def test_a_role_that_may_more_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        cursor.execute("CREATE ROLE too_strong CREATEDB")
    with pytest.raises(ImproperlyConfigured, match="too_strong"):
        database.give_to("too_strong")
