"""What happens in a season reaches its members and hosts, each once, and nobody else."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from matches.models import clock
from matches.services.hosting import publish, start_now
from matches.services.roles import Roles
from notices.inbox import unread
from notices.models import Notice
from notices.outbox import store
from seasons import notices
from seasons.models import Season
from seasons.queries import export
from seasons.services import people, running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from seasons.web.extensions import entries_of
from tests.fixtures.any_game import SLUG

START = datetime(2031, 5, 17, 13, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def _season() -> tuple[Season, User, dict[str, User]]:
    host = User.objects.create_user("holly", is_staff=True)
    people = {name: User.objects.create_user(name) for name in ("ann", "bob", "cat", "dan")}
    season = create_season("Autumn", host)
    for name, person in people.items():
        add_member(season, host, name, user=person)
    running.begin(season, host)
    season.refresh_from_db()
    return season, host, people


def test_a_candidate_is_asked_in_time_and_everybody_hears_the_rest_once() -> None:
    with clock.fixed(START) as time:
        season, host, cast = _season()
        season.cast.filter(handle="ann").update(name="דנה")  # read from the right: set apart by marks
        match = running.add_match(season, host, SLUG)
        match.seed = "00" * 32
        match.save(update_fields=["seed"])
        start_now(match, host)
        notices.tell()
        Notice.objects.all().delete()
        time.forward(timedelta(days=2))
        from matches.services.deadlines import advance

        advance(match.pk)
        running.sweep()
        assert notices.tell() > 0
        assert notices.tell() == 0
    asked = Notice.objects.filter(event="season_asks").get()
    assert (asked.user, asked.by) == (cast["cat"], START + timedelta(days=3))
    assert "\u2068דנה\u2069, bob and dan" in asked.text
    told = Notice.objects.filter(event="season_news")
    assert {notice.user for notice in told} == set(cast.values())
    assert told.count() == 2 * len(cast)  # settled, and who is to name an opponent
    assert not Notice.objects.filter(user=host, event__startswith="season").exists()
    assert {each.headline for each in unread(cast["bob"])} >= {"News of the season · Autumn"}, "it says of which"


def test_a_season_that_cannot_be_read_keeps_no_other_from_telling_and_hides_none() -> None:
    with clock.fixed(START):
        broken, host, cast = _season()
        notices.tell()
        Notice.objects.all().delete()
        asked = {"season": broken, "row": broken.log.latest("number"), "at": START}
        broken.news.create(audience="player:ann", kind="name_opponent", data={"options": ["bob"]}, **asked)
        sound = create_season("Winter", host)
        for name in ("ann", "bob", "cat", "dan"):
            add_member(sound, host, name, user=cast[name])
        running.begin(sound, host)
        Season.objects.filter(pk=broken.pk).update(state="{}")
        notices.tell()
    assert {notice.title.rpartition(" · ")[2] for notice in Notice.objects.all()} == {"Winter"}
    assert {entry.title for entry in entries_of(host)} == {"Winter", "Autumn"}


def test_a_substitute_is_told_what_nobody_has_read_and_who_has_left_keeps_nothing() -> None:
    with clock.fixed(START):
        season, host, known = _season()
        zoe = User.objects.create_user("zoe")
        for amount in (2, 3):
            correct = {"correct": {"player": "ann", "asset": "garnet", "amount": amount}, "reason": f"Prize {amount}."}
            running.command(season, host, correct)
        notices.tell()
        Notice.objects.filter(user=known["ann"], text__contains="Prize 2.").update(read_at=START)
        others = Notice.objects.exclude(user=known["ann"]).count()
        people.replace_person(season, host, season.cast.get(handle="ann"), zoe, "Ann has no time.")
        assert [notice.event for notice in Notice.objects.filter(user=known["ann"])] == ["replaced"]
        private = [notice.text for notice in Notice.objects.filter(user=zoe) if "Prize" in notice.text]
        assert len(private) == 1
        assert "Prize 3." in private[0]
        assert Notice.objects.exclude(user__in=(known["ann"], zoe)).count() == others
        notices.tell()
    assert not Notice.objects.filter(user=known["ann"], event__startswith="season").exists()
    assert Notice.objects.filter(user=zoe, text__contains="Ann has no time.").count() == 1


def test_a_correction_is_news_for_everybody_at_once_but_for_its_amount() -> None:
    with clock.fixed(START):
        season, host, cast = _season()
        notices.tell()
        Notice.objects.all().delete()
        before = export.latest(season)
        correct = {"correct": {"player": "ann", "asset": "garnet", "amount": 7}, "reason": "Won a quiz."}
        running.command(season, host, correct)
        notices.tell()
        told = {notice.user: notice.text for notice in Notice.objects.all()}
        assert told.keys() == set(cast.values())
        assert Notice.objects.count() == len(cast)
        assert "+7 garnets" in told.pop(cast["ann"])
        (text,) = set(told.values())
        assert text.startswith("The host holly has corrected the garnets of ann.")
        assert "Won a quiz." in text
        assert "7" not in text
        assert export.latest(season) != before


def test_who_is_concerned_twice_is_told_once() -> None:
    with clock.fixed(START):
        host, ann = User.objects.create_user("holly", is_staff=True), User.objects.create_user("ann")
        season = create_season("Autumn", host)
        season.applications.create(user=ann, sent_at=START, changed_at=START)
        add_member(season, host, "ann", user=ann)
        add_member(season, host, "bob", is_bot=True)
        running.begin(season, host)
        notices.tell()
    assert Notice.objects.filter(user=ann, text__contains="has begun").count() == 1
    twice = [Notice.of("season_news", season, user=ann, source="x", text="Hi") for _ in range(2)]
    assert store(twice) == twice[:1]


def test_the_story_names_people_as_they_were_then() -> None:
    with clock.fixed(START):
        season, host, _ = _season()
        zoe = User.objects.create_user("zoe")
        correct = {"correct": {"player": "ann", "asset": "garnet", "amount": 2}, "reason": "A prize."}
        running.command(season, host, correct)
        people.replace_person(season, host, season.cast.get(handle="ann"), zoe, "Ann has no time.")
        running.command(season, host, correct)
        page = Client().get(f"/seasons/{season.public_id}/story/").content.decode()
        (older,) = Client().get(f"/api/v1/seasons/{season.public_id}/feed/?after=2&limit=1").json()["feed"]
    assert "corrected the garnets of ann." in older["text"]
    found = re.findall(r"corrected the garnets of (<a[^>]*>)?(\w+)", page)
    assert [name for _, name in found] == ["ann", "zoe"]
    assert [bool(re.search(r'/people/zoe/"', link)) for link, _ in found] == [False, True]


def test_a_match_whose_start_has_come_opens_before_a_season_changes_its_people() -> None:
    with clock.fixed(START) as time:
        season, host, _ = _season()
        kim, zoe = User.objects.create_user("kim", is_staff=True), User.objects.create_user("zoe")
        match = running.add_match(season, host, SLUG)
        publish(match, host, START + timedelta(hours=1))
        time.forward(timedelta(hours=1, seconds=1))
        for change in (
            lambda: people.set_roles(season, host, Roles(host, (kim,))),
            lambda: people.replace_person(season, host, season.cast.get(handle="ann"), zoe, "Ill."),
        ):
            with transaction.atomic():
                change()
                match.refresh_from_db()
                assert match.status == match.Status.OPEN, match.start_problem
                assert verify(Season.objects.get(pk=season.pk)) == []
                transaction.set_rollback(True)
