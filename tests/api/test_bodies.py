"""An action's body, as servers hand it over: mostly whole and at once."""

import asyncio
from typing import Any

import pytest

from matches.api import endpoint
from matches.api.replies import ApiError

SCOPE: dict[str, Any] = {"headers": []}


def part(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_body_that_does_not_come_is_refused_after_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_READ_SECONDS", 0)
    parts = [part(b"{", more=True)]

    async def receive() -> dict[str, Any]:
        return parts.pop(0) if parts else await asyncio.get_running_loop().create_future()

    with pytest.raises(ApiError) as refused:
        await endpoint._body(SCOPE, receive)
    assert (refused.value.status, refused.value.code) == (408, "timeout")


async def test_who_hangs_up_in_the_middle_of_a_body_is_gone() -> None:
    parts = [part(b"{", more=True), {"type": "http.disconnect"}]

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return parts.pop(0)

    with pytest.raises(endpoint.Gone):
        await endpoint._body(SCOPE, receive)
