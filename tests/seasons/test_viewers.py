"""Trusted viewers: who can be one, what they see, and that nobody else sees more."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.services.errors import CommandRefused
from matches.services.roles import Roles, store_roles
from notices.models import Notice
from seasons.models import Season, SeasonViewer
from seasons.notices import tell
from seasons.services import account_deletion, people, viewers
from seasons.services.roles import why_no_member
from seasons.services.verification import verify
from tests.admin.conftest import browser_of, text_of
from tests.seasons.played import HOST, three_matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(db: None) -> Season:
    return three_matches(end=False)


@pytest.fixture
def host(season: Season) -> Any:
    found = User.objects.get(username=HOST)
    for each in season.matches.all():
        store_roles(each.match, Roles(found))
    return found


@pytest.fixture
def vic(db: None) -> Any:
    return User.objects.create_user("vic")


def _named(season: Season, host: Any, person: Any, handle: str = "ann") -> SeasonViewer:
    viewers.name_viewer(season, host, season.cast.get(handle=handle), person)
    return SeasonViewer.objects.get(season=season, user=person, stopped_at=None)


def _accepted(season: Season, host: Any, person: Any, handle: str = "ann") -> SeasonViewer:
    found = _named(season, host, person, handle)
    viewers.answer(season, season.cast.get(handle=handle).user, found.token, accepts=True)
    return found


def _going(season: Season) -> Any:
    return season.matches.latest("number").match


def test_nothing_is_shown_before_the_member_accepts_then_all_that_the_member_sees(
    season: Season, host: Any, vic: Any
) -> None:
    match, ann = _going(season), season.cast.get(handle="ann").user
    found = _named(season, host, vic)
    view, statement = f"/matches/{match.public_id}/their-view/", f"{season.get_absolute_url()}statement/ann/"
    as_vic = browser_of(vic)
    assert {as_vic.get(url).status_code for url in (view, statement)} == {404}
    assert "sees what" not in text_of(Client().get(season.get_absolute_url()))

    asked = text_of(browser_of(ann).get(season.get_absolute_url()))
    assert "names" in asked
    assert asked.index(">Accept<") < asked.index('id="standings-title"')
    act = f"{season.get_absolute_url()}viewers/{found.token}/accept/"
    assert as_vic.post(act).status_code == 302  # who is named cannot accept for the member
    assert as_vic.get(view).status_code == 404
    browser_of(ann).post(act)
    page = text_of(as_vic.get(view))
    assert "“you” means <bdi>ann</bdi>" in page
    assert 'data-hx-select-oob="#part-status:outerMorph"' in page  # the round and its deadline come with the board
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
    assert "&lt;" not in page.partition("<main")[2]
    assert "As ann" in text_of(as_vic.get(f"/matches/{match.public_id}/"))
    assert as_vic.get(statement).status_code == 200
    assert as_vic.get(f"{season.get_absolute_url()}statement/bob/").status_code == 404
    for reader in (Client(), browser_of(season.cast.get(handle="bob").user)):
        assert "sees what" in text_of(reader.get(season.get_absolute_url()))
        assert "sees what" in text_of(reader.get(f"/matches/{match.public_id}/"))
        assert reader.get(view).status_code in (302, 404)
    assert verify(Season.objects.get(pk=season.pk)) == []


def test_people_are_told_and_it_ends_by_any_of_the_three(season: Season, host: Any, vic: Any) -> None:
    ann = season.cast.get(handle="ann").user
    found = _named(season, host, vic)
    tell()
    asks = Notice.objects.filter(user=ann, text__contains="wants to give you a trusted viewer", read_at=None)
    assert not Notice.objects.filter(user=vic).exists()
    other = _named(season, host, User.objects.create_user("wim"))
    tell()
    viewers.answer(season, ann, found.token, accepts=True)
    tell()
    assert Notice.objects.filter(user=vic, text__startswith="You are a trusted viewer now.").exists()
    assert asks.count() == 1, "the other offer stands"
    assert "viewer_named" not in str(browser_of(vic).get(f"/api/v1/seasons/{season.public_id}/feed/").json())
    viewers.stop(season, other.user, other.token)
    tell()
    assert not asks.exists()
    assert not season.news.filter(kind="viewer_declined").exists(), "ann has not declined"

    for who in (vic, ann, host, User.objects.create_superuser("root")):
        present = SeasonViewer.objects.get(season=season, user=vic, stopped_at=None)
        with pytest.raises(CommandRefused) as refused:
            viewers.stop(season, season.cast.get(handle="bob").user, present.token)
        assert refused.value.code == "not_found"
        viewers.stop(season, who, present.token)
        assert not viewers.active(season).exists()
        _accepted(season, host, vic)
    assert verify(Season.objects.get(pk=season.pk)) == []


def test_nobody_who_plays_is_a_viewer_and_no_viewer_becomes_a_player(season: Season, host: Any, vic: Any) -> None:
    bob, dan = season.cast.get(handle="bob"), season.cast.get(handle="dan")
    for person in (bob.user, host):
        with pytest.raises(CommandRefused) as refused:
            _named(season, host, person)
        assert refused.value.code == "not_eligible"
    with pytest.raises(CommandRefused) as refused:
        _named(season, host, vic, "dan")  # a bot
    assert refused.value.code == "not_in"
    assert why_no_member(season, vic) == ""
    found = _named(season, host, vic)
    assert why_no_member(season, vic) == ""  # has seen nothing yet
    people.replace_person(season, host, dan, vic, "Takes over.")
    with pytest.raises(CommandRefused) as refused:
        viewers.answer(season, season.cast.get(handle="ann").user, found.token, accepts=True)
    assert refused.value.code == "not_eligible"

    out = season.cast.get(handle="fay").user
    _accepted(season, host, out)
    wanda = User.objects.create_user("wanda")
    viewers.stop(season, host, _accepted(season, host, wanda).token)
    assert "can never be a member" in why_no_member(season, wanda)
    with pytest.raises(CommandRefused) as refused:
        people.replace_person(season, host, bob, wanda, "Takes over.")
    assert "trusted viewer" in refused.value.message


def test_who_takes_the_place_over_is_asked_anew(season: Season, host: Any, vic: Any) -> None:
    _accepted(season, host, vic)
    people.replace_person(season, host, season.cast.get(handle="ann"), User.objects.create_user("new"), "Takes over.")
    assert not viewers.active(season).exists()
    view = f"/matches/{_going(season).public_id}/their-view/"
    assert browser_of(vic).get(view).status_code == 404
    account_deletion.leave_all(vic, "somebody")
    assert verify(Season.objects.get(pk=season.pk)) == []
