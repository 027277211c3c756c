"""An account says that it is a bot's: everybody sees it, and hosts can keep bots out."""

from datetime import timedelta

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
    assert "Play in this match" not in signed_in(robot).get(address).content.decode()
    assert match not in open_tables(robot)

    ann = User.objects.create_user("ann", "ann@example.org", None)
    page = signed_in(ann).get(address).content.decode()
    assert "Play in this match" in page
    assert "Anybody except bots" in page
    assert match in open_tables(ann)
    assert join(match, ann).user == ann


def test_everybody_sees_where_a_bots_account_plays(host: User, robot: User) -> None:
    match = coming(host, "open")
    assert match in open_tables(robot)
    join(match, robot)
    page = Client().get(f"/matches/{match.public_id}/").content.decode()
    assert page.count("bot's account") + page.count("bot&#x27;s account") == 1
    assert "bot's account" in Client().get("/people/robot/").content.decode()
