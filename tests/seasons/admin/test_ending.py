"""A season that ends before its matches do, at the desk."""

from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match
from matches.models.clock import now as clock_now
from matches.services import hosting
from seasons.engine.state import account
from seasons.models import Season
from seasons.services.verification import verify
from tests.admin.conftest import text_of
from tests.fixtures.any_game import PRESET, SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db


def begin(desk: SeasonDesk, people: list[Any], **settings: Any) -> Season:
    season = desk.create(**{f"config-{key}": value for key, value in settings.items()})
    bots = "\n".join(f"bot{number},bot,,{number}" for number in range(1, 6))
    page = desk.paste(f"ann,,red,3,2,10\nbob\ncat,CAT,blue,0,1\n{bots}")
    assert "Added 8 members to the cast." in page
    desk.do("begin")
    return season


def test_a_season_that_is_ended_early_cancels_its_matches(
    desk: SeasonDesk, players: list[Any], later: Any, host: Any
) -> None:
    season = begin(desk, players)
    running_now, announced, draft = (desk.next_match(SLUG, PRESET) for _ in range(3))
    hosting.publish(announced, host, clock_now() + timedelta(days=3))
    hosting.start_now(running_now, host)
    assert Season.objects.get(pk=season.pk).ledger.filter(reason="brought").exists()

    assert "everybody can read the reason" in desk.ask("end", reason=" ")
    asked = desk.ask("end", reason="Too few people have time.")
    assert f"“{running_now}” is cancelled," in asked
    assert f"“{announced}” is cancelled," in asked
    assert str(draft) not in asked.split("What will happen")[1]
    said = desk.confirm("end", asked, reason="Too few people have time.")
    assert "The season has ended." in said
    assert "You have already done that." in desk.confirm("end", asked, reason="Too few people have time.")

    season.refresh_from_db()
    assert season.status == Season.Status.ENDED
    found = dict(Match.objects.filter(in_season__season=season).values_list("pk", "status"))
    assert found == {running_now.pk: "cancelled", announced.pk: "cancelled", draft.pk: "draft"}
    state = desk_state(season)
    assert (state.matches, account(state.purses, "ann")["garnet"]) == ((), 3)
    assert verify(season) == []
    page = text_of(desk.client.get(f"/admin/matches/match/{draft.pk}/change/"))
    assert "The season has ended; nothing more can be booked in it." in page


def test_a_season_is_not_ended_if_one_of_its_matches_cannot_be_cancelled(
    desk: SeasonDesk, players: list[Any], host: Any, other_host: Any
) -> None:
    season = begin(desk, players)
    match = desk.next_match(SLUG, PRESET)
    hosting.start_now(match, host)
    match.roles.all().delete()
    match.roles.create(user=other_host, role="cohost")
    asked = desk.ask("end", reason="Enough.")
    assert "Only hosts of this match" in desk.confirm("end", asked, reason="Enough.")
    season.refresh_from_db()
    match.refresh_from_db()
    assert (season.status, match.status) == (Season.Status.RUNNING, Match.Status.OPEN)


def desk_state(season: Season) -> Any:

    return Season.objects.get(pk=season.pk).decoded()
