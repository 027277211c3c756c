"""Redis may vanish at any time: people can still sign in, and what is limited stays limited."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core.cache import cache

from genius_site import cache as site_cache
from tests.access.cast import Cast
from tests.access.routes import address, all_routes
from tests.fixtures.chosen import one_in
from tests.fixtures.processes import free_port


def use_redis_at(address: str, settings: Any) -> None:
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


@pytest.mark.usefixtures("_away")
def test_every_page_answers_without_redis(db: None) -> None:
    """Half of them in each run, each asked for by one of three people."""
    cast, draw = Cast(), Random(os.environ["RANDOM_SEED"])
    browsers = {role: cast.browser(role, raise_request_exception=False) for role in ("visitor", "player", "boss")}
    for route in one_in(2, all_routes()):
        if route != "healthz":  # which is there to say what is away
            role = draw.choice(list(browsers))
            answer = browsers[role].get(address(route, cast, "open"))
            assert answer.status_code < 500, f"{role}: {route}"


def test_nobody_pushes_out_the_count_of_one_name_by_trying_others(settings: Any) -> None:
    settings.CACHES = site_cache.configure("")
    cache.set("ann", 4)
    for number in range(2000):
        cache.set(f"somebody-{number}", 1)
    assert cache.get("ann") == 4
    cache.clear()
