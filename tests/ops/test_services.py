"""The run on real services really is on them: this guards the suite against testing SQLite twice."""

import asyncio

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from redis import Redis

pytestmark = pytest.mark.services


@pytest.mark.django_db
def test_the_database_is_postgresql():
    assert connection.vendor == "postgresql"
    assert connection.features.has_select_for_update_skip_locked


def test_the_cache_is_redis():
    cache.set("somewhere", "else", 5)
    with Redis.from_url(settings.REDIS_URL) as server:
        assert server.exists(":1:somewhere")
    assert cache.get("somewhere") == "else"


async def test_the_channel_layer_is_redis():
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("board", channel)
    await layer.group_send("board", {"type": "changed", "version": 7})
    assert await asyncio.wait_for(layer.receive(channel), 10) == {"type": "changed", "version": 7}
    await layer.flush()
