"""The example bot plays: its requests go to the site itself, through a test client."""

import io
import runpy
from email.message import Message
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

import pytest
from django.test import Client

from matches.models import Bid
from tests.architecture.files import ROOT
from tests.fixtures.site import Site
from tests.fixtures.table import running

pytestmark = pytest.mark.django_db
BOT = ROOT / "examples" / "bot.py"


def from_a_proxy(code: int, retry_after: str = "") -> HTTPError:
    """What stands before the site answers in its place, and not in JSON."""
    headers = Message()
    if retry_after:
        headers["Retry-After"] = retry_after
    return HTTPError("", code, "lost", headers, io.BytesIO(b"<html>"))


class Line:
    """Stands for the network: loses the first answer to every action, by raising `loss`."""

    def __init__(self) -> None:
        self.loss: Exception = ConnectionResetError("cut off")
        self.lost: set[str] = set()
        self.slept: list[float] = []

    def urlopen(self, request: Request, timeout: float) -> Any:
        method, path = request.get_method(), request.selector.replace("limit=50", "limit=1")  # several pages
        headers: Any = dict(request.header_items())
        answer = Client().generic(method, path, request.data or b"", "application/json", headers=headers)
        if method == "POST" and headers["Idempotency-key"] not in self.lost:
            self.lost.add(headers["Idempotency-key"])
            raise self.loss
        if answer.status_code >= 400:
            raise HTTPError(path, answer.status_code, "", Message(), io.BytesIO(answer.content))
        return io.BytesIO(answer.content)


@pytest.fixture
def line() -> Line:
    return Line()


def bot(line: Line, token: str) -> dict[str, Any]:
    names = runpy.run_path(str(BOT), run_name="bot")
    names["call"].__globals__.update(TOKEN=token, SITE="http://testserver", urlopen=line.urlopen)
    names["time"] = names["call"].__globals__["time"] = type("Time", (), {"sleep": line.slept.append})
    return names


LOSSES = [
    from_a_proxy(502),
    from_a_proxy(503),
    TimeoutError("too slow"),
    ConnectionResetError("cut off"),
    RemoteDisconnected("without an answer"),
    IncompleteRead(b"{"),
]


def test_it_bids_and_a_lost_answer_does_no_harm(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    table = running(Site("", ""))[0]
    ann = table.people[0]
    bot(line, ann.token)["turn"]()
    bids = list(Bid.objects.filter(player__handle=ann.handle))
    assert len(bids) == 1
    assert (bids[0].amount, line.slept) == (1, [1])
    assert "'accepted': True" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="This token is unknown"):
        bot(line, "gen_unknown")["turn"]()


def test_it_plays_in_every_match_however_many_pages_list_them(line: Line) -> None:
    first, second = running(Site("", ""), matches=2)
    ann = first.people[0]
    second.match.players.filter(handle=second.people[0].handle).update(user=ann.user)
    bot(line, ann.token)["turn"]()
    assert Bid.objects.values("match").distinct().count() == 2


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_however_an_answer_is_lost_it_sends_the_same_again(line: Line, loss: Exception) -> None:
    line.loss = loss
    assert bot(line, "")["call"]("/api/v1/", {"some": "thing"})["code"] == "method_not_allowed"
    assert (len(line.lost), line.slept) == (1, [1])
    assert getattr(loss, "closed", True), "or Python 3.14 warns of it"
