"""The cast with faces, and an episode to paste."""

import pytest
from django.test import Client

from accounts import pictures
from accounts.models import User
from seasons.models import Season
from seasons.services import people
from tests.accounts.test_pictures import png
from tests.seasons.admin.conftest import SeasonDesk
from tests.seasons.played import HOST, three_matches

pytestmark = pytest.mark.django_db


def _page(season: Season) -> str:
    return Client().get(f"{season.get_absolute_url()}cast/").content.decode()


def test_faces_are_for_all_to_see_until_a_host_takes_one_off() -> None:
    season = three_matches(end=False)
    host, ann = User.objects.get(username=HOST), User.objects.get(username="user-ann")
    assert "<img" not in _page(season).split("season__columns")[1]
    pictures.keep(ann, pictures.drawn(png()))
    address = f"/profile/picture/{ann.picture.token}.png"
    assert address in _page(season)
    member = season.cast.get(user=ann)
    SeasonDesk(host, season).do("picture", member=str(member.pk), what="hide")
    assert address not in _page(season)
    assert Client().get(address).status_code == 200, "elsewhere nothing changes"
    assert "Took ann's picture off the cast page" in SeasonDesk(host, season).page()
    people.hide_picture(season, host, member, hide=False)
    assert address in _page(season)
    assert season.log.filter(kind="picture").count() == 2
