"""Hints: pages hear that there is something to ask for, and nobody else does."""

from typing import Any

import pytest

from matches.live.hub import Hub
from matches.live.messages import Hint, News, deliver
from tests.live.stage import MATCH, Quickly, Socket, Stage, settled

FACTS = (("match", "abc"), ("channel", "public"))
FOR_ALL = Hint("talk", MATCH, FACTS)
FOR_ANN = Hint("talk", MATCH, FACTS, frozenset({1}))


def hints(socket: Socket) -> list[dict[str, Any]]:
    return [frame["hint"] for frame in socket.frames if "hint" in frame]


async def seated(stage: Stage) -> dict[str, Socket]:
    """Visitors and people at the match, at another one, and on other pages."""
    sockets = {
        "visitor": Socket(),
        "ann": Socket(user_id=1),
        "bob": Socket(user_id=2),
        "elsewhere": Socket(user_id=1),
        "me of ann": Socket(user_id=1),
        "me of bob": Socket(user_id=2),
    }
    for name, socket in sockets.items():
        if name == "elsewhere":
            stage.hub.watch_match(MATCH + 1, socket)
        elif name.startswith("me"):
            stage.hub.watch_notices(socket.user_id or 0, socket)
        else:
            stage.hub.watch_match(MATCH, socket)
    await settled(1)
    return sockets


@pytest.mark.parametrize(
    ("hint", "hear"), [(FOR_ALL, {"visitor", "ann", "bob"}), (FOR_ANN, {"ann", "me of ann"})], ids=["all", "ann"]
)
def test_a_hint_goes_to_those_whom_it_is_for(quickly: Quickly, hint: Hint, hear: set[str]) -> None:
    async def story() -> None:
        stage = Stage()
        sockets = await seated(stage)
        stage.hub.hinted(hint)
        await settled(1)
        heard = {name: hints(socket) for name, socket in sockets.items()}
        assert heard == {
            name: [{"of": "talk", "match": "abc", "channel": "public"}] if name in hear else [] for name in sockets
        }
        await stage.hub.stop()

    quickly(story())


@pytest.mark.parametrize("hint", [FOR_ALL, FOR_ANN], ids=["all", "ann"])
def test_other_processes_hear_the_same_hint_once(quickly: Quickly, hint: Hint) -> None:
    class Hears(Hub):
        def __init__(self) -> None:
            super().__init__()
            self.heard: list[Hint] = []

        def hinted(self, hint: Hint) -> None:
            self.heard.append(hint)

    async def story() -> None:
        news, more = News(), News()
        news.hint(hint)
        news.hint(hint)
        more.add(news)
        hub = Hears()
        for message in more.messages("another"):
            deliver(message, hub)
        for message in more.messages(hub.name):
            deliver(message, hub)
        assert hub.heard == [hint]
        assert more

    quickly(story())
