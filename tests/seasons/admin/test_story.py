"""A host makes a season, begins it, has matches played, and ends it, at the desk alone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.models.clock import now as clock_now
from matches.services import hosting
from seasons.engine.state import account
from seasons.models import Member, Season
from seasons.services.cast import add_member
from seasons.services.verification import verify
from tests.admin.conftest import text_of
from tests.fixtures.any_game import GAME, PRESET, SLUG
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db

CAST = """ann, , red, 3, 2, 10
bob
cat; is no name
"""


def begin(desk: SeasonDesk, people: list[Any], **settings: Any) -> Season:
    season = desk.create(**{f"config-{key}": value for key, value in settings.items()})
    bots = "\n".join(f"bot{number},bot,,{number}" for number in range(1, 6))
    page = desk.paste(f"ann,,red,3,2,10\nbob\ncat,CAT,blue,0,1\n{bots}")
    assert "8 members are in the cast." in page
    desk.do("begin")
    return season


def test_a_season_from_its_making_to_its_end(desk: SeasonDesk, players: list[Any], later: Any, host: Any) -> None:
    season = begin(desk, players, opponent="host", settlement="confirmed", loser_garnets="winner")
    page = desk.page()
    assert "Make the next match." in page
    assert "8 are left: fits" in desk.client.get(f"{desk.address}/next/").content.decode()

    match = desk.next_match(SLUG, PRESET)
    assert match.title == f"Autumn: 1. {GAME.title}"
    assert match.usual_hour == "18:00"
    assert list(match.hosts.all()) == [host]
    assert match.config["variant"] == "F8"
    assert set(match.players.values_list("handle", "garnets")) == {(m.handle, 0) for m in season.cast.all()}
    hosting.publish(match, host)
    desk.do("blood", match="1")
    assert "ann" in desk.page()
    inside = {player.handle: player.garnets for player in match.players.all()}
    assert (inside["ann"], inside["bot5"]) == (3, 5)

    later(days=40)
    desk.sign_in()
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert f"Confirm the settlement of “Autumn: 1. {GAME.title}”." in desk.page()
    assert not season.matches.get().settled_at
    asked = desk.ask("settle")
    assert "has 3 garnets and " in asked
    desk.confirm("settle", asked)
    assert "That has been done already." in desk.confirm("settle", asked)

    page = desk.page()
    assert "Name the opponent of" in page
    state = desk_state(season)
    candidate = state.after.candidates[0]
    opponent = next(each for each in state.handles_in() if each != candidate and each not in state.after.immune)
    assert "meet in the Death Match" in desk.ask("opponent", opponent=opponent)
    desk.do("opponent", opponent=opponent)
    asked = desk.ask("death-match", loser=candidate, reason="Lost 3 to 1.")
    assert f"{candidate} is out, in place 8." in asked
    desk.confirm("death-match", asked, loser=candidate, reason="Lost 3 to 1.")
    assert Member.objects.get(season=season, handle=candidate).place == 8
    assert "Make the next match." in desk.page()

    gone, other = [each for each in ("bot1", "bot2", "bot3") if each != candidate][:2]
    pk = {member.handle: member.pk for member in season.cast.all()}
    refused = desk.ask("correct", player=pk[other], asset="garnet", amount="-99", reason="x")
    assert "has less than that outside of matches" in refused
    assert "What will happen" not in refused
    assert "and will have" in desk.ask("correct", player=pk[other], asset="garnet", amount="2", reason="Won a quiz.")
    desk.do("correct", player=pk[other], asset="garnet", amount="2", reason="Won a quiz.")
    desk.do("out", player=pk[gone], reason="Broke the rules.")
    withdrawn = next(each for each in ("bot4", "bot5") if each != candidate)
    desk.do("withdraw", player=pk[withdrawn], reason="Has no time.")
    desk.do("blood", match="off")
    page = desk.page()
    for said in ("Won a quiz.", "Broke the rules.", "Has no time.", "Blood garnets no longer grow", "Confirmed the"):
        assert said in page
    for name in ("log", "ledger"):
        assert desk.client.get(f"{desk.address}/{name}/").status_code == 200

    desk.do("end")
    assert season.refresh_from_db() is None
    assert season.status == Season.Status.ENDED
    assert season.seed in desk.page()
    assert verify(season) == []
    check_what_visitors_see(season)


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
    assert "That has been done already." in desk.confirm("end", asked, reason="Too few people have time.")

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
    match.hosts.set([other_host])
    asked = desk.ask("end", reason="Enough.")
    assert "Only this match" in desk.confirm("end", asked, reason="Enough.")
    season.refresh_from_db()
    match.refresh_from_db()
    assert (season.status, match.status) == (Season.Status.RUNNING, Match.Status.OPEN)


def check_what_visitors_see(season: Season) -> None:
    """How its match ended is counted, and hidden from those who want to be asked."""
    visitor = Client()
    page = text_of(visitor.get(season.get_absolute_url()))
    assert "In finished matches" in page
    visitor.post("/results/", {"hide": "1"})
    for address in (season.get_absolute_url(), f"{season.get_absolute_url()}story/"):
        page = text_of(visitor.get(address))
        assert "The result is hidden" in page
        assert "bot1" not in page
    visitor.post("/results/show/", {"id": season.public_id, "next": "/"})
    assert "In finished matches" in text_of(visitor.get(season.get_absolute_url()))


def desk_state(season: Season) -> Any:
    from seasons.queries.standing import state_of

    return state_of(Season.objects.get(pk=season.pk))


def test_of_a_draft_that_is_not_ready_no_button_is_gold_but_the_one_that_helps(desk: SeasonDesk) -> None:
    season = desk.create()

    def gold() -> list[str]:
        return re.findall(r'class="button default">\s*(?:<svg.*?</svg>)?\s*([^<]*?)\s*<', desk.page(), re.S)

    assert gold() == ["Save the cast"]
    for name in ("one", "two"):
        add_member(season, desk.user, name, is_bot=True)
    assert gold() == ["Begin the season"]


def test_the_cast_is_said_to_be_saved_where_it_has_changed(desk: SeasonDesk) -> None:
    desk.create()
    desk.paste("one\ntwo")
    rows = dict(re.findall(r'name="(cast-[^"]*)"[^>]*? value="([^"]*)"', desk.page()))
    ways = [({}, True), ({"then": "roles"}, False), ({"then": "roles", "cast-0-name": "Uno"}, True)]
    for more, is_said in ways:
        answer = desk.client.post(f"{desk.address}/change/", {**rows, **more}, follow=True)
        assert answer.status_code == 200
        assert ("The cast is saved." in text_of(answer)) == is_said, more
