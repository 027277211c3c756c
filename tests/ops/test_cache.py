"""Redis may vanish at any time: people can still sign in, and what is limited stays limited."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from redis.exceptions import ConnectionError as RedisIsAway

from accounts.models import User
from genius_site import cache as site_cache
from tests.access.cast import Cast
from tests.access.routes import address, all_routes
from tests.accounts.conftest import deliver
from tests.fixtures.processes import free_port

PASSWORD = "a long walk by the sea"
TRIES = 20  # new accounts from one address in a minute, as allauth counts


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


def use_redis_at(address: str, settings: Any) -> None:
    site_cache._redis.cache_clear()
    settings.CACHES = site_cache.configure(address)
    cache.clear()


@pytest.fixture
def _away(settings: Any) -> Iterator[None]:
    """Nobody listens where Redis should be."""
    url = f"redis://127.0.0.1:{free_port()}/0"
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [url]}}
    }
    use_redis_at(url, settings)
    yield
    cache.clear()


class Fickle(LocMemCache):
    """Stands for Redis, and goes away when it is told to."""

    is_away = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("add", "get", "set", "touch", "delete", "clear") and Fickle.is_away:
            raise RedisIsAway("Connection refused.")
        return super().__getattribute__(name)


@pytest.fixture
def fickle(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Fickle]]:
    monkeypatch.setattr(site_cache, "RedisCache", Fickle)
    use_redis_at("redis://fickle", settings)
    yield Fickle
    Fickle.is_away = False
    cache.clear()
    site_cache._redis.cache_clear()


def sign_in(password: str) -> bool:
    return Client().post("/accounts/login/", {"login": "ann", "password": password}).status_code == 302


def is_within_limit() -> bool:
    """Whether one more try to sign up is within the limit."""
    return Client().post("/accounts/signup/", {}).status_code != 429


@pytest.mark.usefixtures("_away")
def test_one_signs_in_and_up_and_gets_a_new_password_without_redis(ann: User, client: Client) -> None:
    assert sign_in(PASSWORD)
    form = {"username": "bob", "email": "bob@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", form).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="bob").pk)
    deliver()
    mail.outbox.clear()
    assert client.post("/accounts/password/reset/", {"email": "ann@example.org"}).status_code == 302
    deliver()
    link = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)
    assert link
    assert Client().get(link[1], follow=True).status_code == 200


@pytest.mark.usefixtures("_away")
def test_every_page_answers_without_redis(db: None) -> None:
    """Each is asked for by one of three people, in every run by another one; with EVERY_PAGE=1 by all of them."""
    cast, draw = Cast(), Random(os.environ["RANDOM_SEED"])
    browsers = {role: cast.browser(role, raise_request_exception=False) for role in ("visitor", "player", "boss")}
    for route in all_routes():
        if route != "healthz":  # which is there to say what is away
            for role in browsers if os.environ.get("EVERY_PAGE") else (draw.choice(list(browsers)),):
                answer = browsers[role].get(address(route, cast, "open"))
                assert answer.status_code < 500, f"{role}: {route}"


@pytest.mark.usefixtures("_away")
def test_what_was_counted_before_redis_went_still_counts(db: None, fickle: type[Fickle]) -> None:
    assert all(is_within_limit() for number in range(TRIES - 1))
    fickle.is_away = True
    assert is_within_limit()
    assert not is_within_limit()


def test_that_redis_went_and_came_back_is_said_once_each(
    fickle: type[Fickle], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    now = [1000.0]
    monkeypatch.setattr(site_cache, "monotonic", lambda: now[0])
    cache.set("a", 1)
    fickle.is_away = True
    for _ in range(20):
        assert cache.get("a") == 1
        now[0] += 1
    cache.set("a", 2)
    fickle.is_away = False
    assert cache.get("a") == 2, "it is asked again after a while only"
    now[0] += 10
    assert cache.get("a") == 1, "what Redis holds counts as soon as it is back"
    said = [record.getMessage() for record in caplog.records if "redis_" in record.getMessage()]
    assert ["redis_away" in said[0], "redis_back" in said[1], len(said)] == [True, True, 2]


def test_a_redis_that_never_answers_holds_nobody_up(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(site_cache, "_ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use_redis_at(f"redis://127.0.0.1:{silent.getsockname()[1]}/0", settings)
        cache.set("a", 1)
        assert cache.get("a") == 1
    assert "redis_away" in caplog.text


@pytest.mark.parametrize("address", ["", "redis://fickle"])
def test_nobody_pushes_out_the_count_of_one_name_by_trying_others(
    fickle: type[Fickle], settings: Any, address: str
) -> None:
    use_redis_at(address, settings)
    fickle.is_away = True
    cache.set("ann", 4)
    for number in range(2000):
        cache.set(f"somebody-{number}", 1)
    assert cache.get("ann") == 4


def test_all_that_a_cache_does_is_done_in_both_places(fickle: type[Fickle]) -> None:
    assert cache.add("a", 1)
    assert not cache.add("a", 2)
    assert cache.incr("a") == 2
    assert cache.touch("a", 100)
    assert cache.get_many(["a", "b"]) == {"a": 2}
    fickle.is_away = True
    assert cache.get_many(["a", "b"]) == {"a": 2}
    assert not cache.add("a", 3)
    assert cache.delete("a")
    assert cache.get("a", "nothing") == "nothing"
