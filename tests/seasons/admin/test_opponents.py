"""Who names the opponent in the Death Match where the candidate does not, a wrong booking that is taken back, and what
the standings say of those who come and go."""

from datetime import timedelta
from typing import Any

import pytest

from matches.games.registry import game_of
from matches.models import Player
from seasons.engine.scenario import read
from seasons.models import Member, Season, SeasonNews, SeasonRole
from seasons.queries.standing import counted, standings
from seasons.services import people, running
from seasons.services.scenario_runner import play_season
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.seasons.admin.conftest import SeasonDesk, browser_of, person, text_of

pytestmark = pytest.mark.django_db


def _waiting_for_cat(host: Any) -> Season:
    """Cat, a person, is to name an opponent."""
    cast = [{"handle": name, "garnets": 2} for name in ("ann", "bob", "cat", "dan")]
    steps = [{"at": "0s", "match": {"game": SLUG, "run_out": True}}]
    play_season(
        read({"season": {"settings": {"loser_garnets": "winner"}, "cast": cast}, "steps": steps}, game_of), keep=True
    )
    season = Season.objects.latest("pk")
    season.cast.filter(handle="cat").update(is_bot=False, user=person("cat"))
    SeasonRole.objects.create(season=season, user=host, role=SeasonRole.Role.OWNER, since=season.created_at)
    assert _phase(season) == "opponent"
    return season


def _disagreements(season: Season) -> list[str]:
    return [each for each in verify(season) if "somebody else as cat" not in each and "hosts" not in each]


def _phase(season: Season) -> Any:
    state = season.decoded()
    return state.phase if state else None


def test_hosts_name_or_draw_in_the_place_of_who_is_away_and_take_a_wrong_booking_back(clock: Any, host: Any) -> None:
    season = _waiting_for_cat(host)
    desk, cat = SeasonDesk(host, season), browser_of(season.cast.get(handle="cat").user)
    own = text_of(cat.get("/me/"))
    assert own.index("Name your opponent in the Death Match") < own.index("Your seasons")
    asked = text_of(cat.get(season.get_absolute_url())).partition("Your season now")[2].partition("</section>")[0]
    assert [part for part in ("Name your opponent in the Death Match", "UTC", 'href="') if part not in asked] == []
    page = desk.page()
    assert "The season is waiting for them to name the opponent" in page
    assert "Hosts can name or draw one instead" in page
    assert "Say why" in desk.ask("opponent", opponent="bob")
    said = desk.do("opponent", opponent="bob", reason="Cat is away.")
    assert "You have named the opponent." in said
    site = browser_of(host).get(season.get_absolute_url()).content.decode()
    assert "The host hanna named the opponent. Reason: Cat is away." in site
    assert "Name your opponent" not in text_of(cat.get("/me/"))
    assert "Nothing is due in the season now." in text_of(cat.get(season.get_absolute_url()))

    desk.do("death-match", loser="bob", reason="Lost.")
    assert season.cast.get(handle="bob").status == Member.Status.OUT
    clock.shift(timedelta(minutes=9))
    desk.do("take-back")
    assert season.cast.get(handle="bob").status == Member.Status.IN
    assert SeasonNews.objects.filter(season=season, kind="booking_taken_back", audience="everyone").exists()
    desk.do("death-match", loser="cat", reason="Lost.")
    clock.shift(timedelta(minutes=10))
    assert "Take back the result" not in desk.page()
    assert _disagreements(season) == []


def test_standings_leave_out_no_place_and_give_nobody_what_somebody_else_did(clock: Any, host: Any) -> None:
    season = _waiting_for_cat(host)

    def do(**command: Any) -> None:
        running.command(season, host, {**command, "reason": "As agreed."} if "end" not in command else command)
        season.refresh_from_db()

    cat = season.cast.get(handle="cat").user
    Player.objects.filter(match__in_season__season=season, handle="cat").update(user=cat, is_bot=False)
    do(name_opponent="bob")
    people.replace_person(season, host, season.cast.get(handle="cat"), person("Zoe"), "Cat is ill.")
    do(death_match={"loser": "bob"})
    do(correct={"player": "dan", "asset": "garnet", "amount": 5})
    do(withdraw="ann")
    do(correct={"player": "cat", "asset": "garnet", "amount": 99})
    lines = standings(season, season.decoded())
    garnets = [line.account["garnet"] for line in lines if line.status == "in"]
    assert garnets == sorted(garnets, reverse=True)
    assert [(line.handle, line.rank) for line in lines[2:]] == [("ann", 3), ("bob", 4)]
    found = {line.username for line in counted(season, lines)}
    assert "cat" in found
    assert "Zoe" not in found
