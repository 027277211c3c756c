"""An account says that it is a bot's: everybody sees it, and hosts can keep bots out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.games.registry import game_of
from matches.models import Match, clock
from matches.queries.lists import open_tables
from matches.services.creation import create_match
from matches.services.errors import CommandRefused
from matches.services.hosting import publish
from matches.services.joining import add_player, join
from tests.fixtures.any_game import SLUG
from tests.fixtures.described import as_described

pytestmark = pytest.mark.django_db


@pytest.fixture
def robot() -> User:
    return User.objects.create_user("robot", "robot@example.org", None, is_bot=True)


@pytest.fixture
def host() -> User:
    return User.objects.create_user("host", "host@example.org", None)


def coming(host: User, joining: str) -> Match:
    places = game_of(SLUG).sizes.usual[1]
    match = create_match(SLUG, "Coming", by=host, joining=joining, places=places)
    add_player(match, "oven", is_bot=True)
    publish(match, host, starts_at=clock.now() + timedelta(days=1))
    match.refresh_from_db()
    return match


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_hosts_can_keep_bots_out(host: User, robot: User) -> None:
    match = coming(host, "people")
    with pytest.raises(CommandRefused) as refused:
        join(match, robot)
    assert refused.value.code == "no_bots"
    address = f"/matches/{match.public_id}/"
    assert "Take a place" not in signed_in(robot).get(address).content.decode()
    assert match not in open_tables(robot)

    ann = User.objects.create_user("ann", "ann@example.org", None)
    page = signed_in(ann).get(address).content.decode()
    assert "Take a place" in page
    assert "except accounts of bots" in page
    assert match in open_tables(ann)
    assert join(match, ann).user == ann


def test_everybody_sees_where_a_bots_account_plays(host: User, robot: User) -> None:
    match = coming(host, "open")
    assert match in open_tables(robot)
    join(match, robot)
    page = Client().get(f"/matches/{match.public_id}/").content.decode()
    assert page.count("bot's account") + page.count("bot&#x27;s account") == 1
    assert "bot's account" in Client().get("/people/robot/").content.decode()


def read(client: Client, path: str) -> Any:
    answer = client.get(path)
    as_described("GET", path, answer.status_code, answer.json())
    return answer.json()


def test_programs_see_it_too(host: User, robot: User) -> None:
    match = coming(host, "open")
    join(match, robot)
    join(match, User.objects.create_user("ann", "ann@example.org", None))
    found = read(Client(), f"/api/v1/matches/{match.public_id}/players/")
    assert [(each["username"], each["plays"]) for each in found["players"]] == [
        (None, "bot"),
        ("robot", "bot_account"),
        ("ann", "person"),
    ]
    assert found["takes_bots"] is True
    assert read(Client(), "/api/v1/people/robot/")["is_bot"] is True
    assert read(signed_in(robot), "/api/v1/me/")["is_bot"] is True
    closed = coming(host, "people")
    assert read(Client(), f"/api/v1/matches/{closed.public_id}/players/")["takes_bots"] is False


def test_one_says_it_in_the_profile(host: User) -> None:
    form = {"display_name": "", "time_zone": "UTC", "theme": "auto", "is_bot": "on"}
    assert signed_in(host).post("/profile/", form).status_code == 302
    host.refresh_from_db()
    assert host.is_bot
