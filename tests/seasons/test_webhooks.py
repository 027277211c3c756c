"""Webhooks of a season, at a real HTTPS receiver: its own news and those of its matches, each once, in their order."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from standardwebhooks import Webhook

from accounts.models import User
from matches.models import Match, clock
from matches.services.deadlines import advance
from matches.services.hosting import publish
from notices import addresses, webhooks
from notices.channels import news as bodies
from notices.deliveries import send_due as post_due
from notices.models import Delivery
from notices.outbox import pass_on
from seasons import notices
from seasons.models import SeasonNews, SeasonWebhook
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.webhooks import OF_A_SEASON
from tests.fixtures.any_game import SLUG
from tests.fixtures.chosen import one_in
from tests.fixtures.receiver import Receiver, Taken, TestNetwork

pytestmark = [pytest.mark.django_db(transaction=True)]

START = datetime(2031, 5, 17, 13, tzinfo=UTC)
ALL = [kind.key for kind in OF_A_SEASON]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _draw_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "png_of", lambda drawing: PNG + drawing.digest.encode())


def _person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    return found or User.objects.create_user(name, is_staff=name == "holly")


class Played:
    """A season of ann, bob, cat and dan, which holly hosts; its first match is to be opened."""

    def __init__(self, time: clock.FixedTime) -> None:
        self.time = time
        self.host = _person("holly")
        self.season = create_season("Autumn", self.host)
        for name in ("ann", "bob", "cat", "dan"):
            add_member(self.season, self.host, name, user=_person(name))
        running.begin(self.season, self.host)
        self.match = running.add_match(self.season, self.host, SLUG)
        Match.objects.filter(pk=self.match.pk).update(seed="00" * 32)
        self.match.refresh_from_db()
        deliver()
        time.forward(timedelta(minutes=1))

    def add(self, url: str, form: str = "json", kinds: list[str] | None = None, **how: Any) -> SeasonWebhook:
        found: SeasonWebhook = webhooks.add(self.season, self.host, url, form, kinds or ALL, **how)
        return found

    def play(self) -> None:
        """The match is opened, over and settled, all of it before anything is passed on."""
        publish(self.match, self.host)
        self.time.forward(timedelta(days=2))
        advance(self.match.pk)
        running.sweep()

    def correct(self, amount: int) -> None:
        command = {"correct": {"player": "ann", "asset": "garnet", "amount": amount}, "reason": "A quiz."}
        running.command(self.season, self.host, command)


@pytest.fixture
def played() -> Iterator[Played]:
    with clock.fixed(START) as time:
        yield Played(time)


def deliver() -> None:
    """As the scheduler does, the seasons' task first: it must not overtake the matches'."""
    for _ in range(2):
        notices.tell()
        pass_on()
        post_due()


def news(taken: Taken) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(taken.body)
    return body


def kinds(receiver: Receiver) -> list[str]:
    return [item["kind"] for taken in receiver.taken for item in news(taken)["data"]["items"]]


def test_a_program_gets_matches_and_season_in_their_order_signed(
    played: Played, receiver: Receiver, network: TestNetwork
) -> None:
    webhook = played.add(receiver.url("/hook"))
    played.play()
    deliver()
    told = kinds(receiver)
    assert told.index("match_finished") < told.index("match_settled") < told.index("opponent_asked")
    assert told.count("match_settled") == told.count("match_finished") == 1
    assert "match_began" not in told, "the match says so itself"
    settled = told[told.index("match_settled") :]
    assert settled.count("fingerprint") == 1, "what happens together has one, behind the last of it"
    assert settled[-1] == "fingerprint"
    for taken in receiver.taken:
        with time_machine.travel(clock.now()):
            body = Webhook(webhook.details["secret"]).verify(taken.body, taken.headers)
        assert body["type"] == "season.news"
        assert body["data"]["id"] == taken.headers["webhook-id"]
        assert body["data"]["season"]["url"] == f"http://127.0.0.1:8000{played.season.get_absolute_url()}"
    of_match = next(news(taken)["data"] for taken in receiver.taken if "match_finished" in str(taken.body))
    assert of_match["match"]["id"] == played.match.public_id
    assert f"/matches/{played.match.public_id}/picture.png?v=" in of_match["picture"]["url"]
    of_season = news(receiver.taken[-1])["data"]
    assert of_season["match"] is None
    assert of_season["headline"].startswith("cat in danger · opponent due by Tue 20 May, 13:01 UTC")
    assert of_season["picture"]["url"].endswith(".png")
    taken_once = len(receiver.taken)
    deliver()
    assert len(receiver.taken) == taken_once


def test_what_only_some_are_told_is_not_posted_and_twins_get_the_same(
    played: Played, receiver: Receiver, network: TestNetwork
) -> None:
    """Two seasons that differ in the amount of a correction: nothing tells them apart before the next settlement."""
    seen = []
    for amount in (2, 7):
        if seen:
            played.time.instant = START
            played = Played(played.time)
        webhooks = [played.add(receiver.url(f"/{form}"), form) for form in ("json", "discord")]
        played.correct(amount)
        # Whoever goes out publishes all balances; this does not.
        running.count_blood(played.season, played.host, played.match.in_season)
        deliver()
        posts = Delivery.objects.filter(address__in=webhooks)
        text = b"".join(
            taken.path.encode() + taken.body for taken in sorted(receiver.taken, key=lambda each: each.path)
        )
        for post in posts:
            text = text.replace(post.event_id.encode(), b"ID")
        text, found = re.subn(rb"Fingerprint of everything so far: [0-9a-f]{64}", b"FINGERPRINT", text)
        assert found == 4
        seen.append((len(receiver.taken), text.replace(played.season.public_id.encode(), b"SEASON")))
        SeasonWebhook.objects.all().delete()
        receiver.taken.clear()
    assert SeasonNews.objects.filter(audience="player:ann").exists()
    assert seen[0] == seen[1]
    assert seen[0][0] == 4
    assert b"has corrected the garnets of" in seen[0][1]


ROLE = "123456789012345678"


@pytest.mark.parametrize("hidden", one_in(2, [False, True]))
def test_one_role_is_named_at_chosen_news_and_nobody_else_ever(
    played: Played, receiver: Receiver, network: TestNetwork, hidden: bool
) -> None:
    played.add(receiver.url(), "discord", hidden=hidden, role=f"<@&{ROLE}>", names_at=["announcements", "match"])
    everybody = f"@everyone <@&{ROLE}> <@&999999999999999999>"
    running.announce(played.season, played.host, everybody)
    played.correct(1)
    publish(played.match, played.host)
    deliver()
    of_match = re.compile(rb"\r\n\r\n({.*?})\r\n--", re.DOTALL)  # with a picture
    posted = [(of_match.search(taken.body), taken.body) for taken in receiver.taken]
    posts = [json.loads(found[1] if found else body) for found, body in posted]
    named = {("announces" in post["content"], "corrected" in post["content"]): post for post in posts}
    assert [post["allowed_mentions"] for post in posts].count({"parse": [], "roles": []}) >= 1
    assert named[True, False]["allowed_mentions"] == {"parse": [], "roles": [ROLE]}
    assert named[False, True]["allowed_mentions"] == {"parse": [], "roles": []}
    assert named[True, False]["content"].startswith(f"<@&{ROLE}>\n")
    assert named[True, False]["content"].count(f"<@&{ROLE}>") == 1, "what is typed names nobody"
    assert f"<@&{ROLE}>" not in named[False, True]["content"]


URL = "https://hooks.example.org/api/webhooks/17/secret-part-wxyz"
NO_ROLES = [
    ({"role": "@everyone", "names_at": ["season"]}, "role_unknown"),
    ({"role": ROLE, "names_at": ["season"], "form": "json"}, "role_unknown"),
    ({"role": ROLE}, "never_named"),
    ({"names_at": ["season"]}, "never_named"),
    ({"role": ROLE, "names_at": ["rounds"], "kinds": ["season"]}, "never_named"),
]


def test_a_role_that_cannot_be_named_is_refused(played: Played) -> None:
    for how, code in NO_ROLES:
        with pytest.raises(addresses.Refused) as refused:
            played.add(URL, **{"form": "discord", **how})
        assert refused.value.code == code
        assert not SeasonWebhook.objects.exists()
