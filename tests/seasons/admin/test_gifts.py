"""Gifts between members, as members and hosts use them."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.models import Match
from matches.services.hosting import start_now
from notices.models import Notice
from seasons import notices
from seasons.admin import console
from seasons.engine.commands import VERBS
from seasons.engine.state import account
from seasons.models import Season, SeasonNews, SeasonRow
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG
from tests.seasons.admin.conftest import SeasonDesk, browser_of, person, text_of

pytestmark = pytest.mark.django_db
NAMES = ("ann", "bob", "cat")


@pytest.fixture
def season(clock: Any, host: Any) -> Season:
    made = create_season("Autumn", host, settings={"gifts": True, "settlement": "confirmed"})
    for number, name in enumerate(NAMES):
        add_member(made, host, name, user=person(name), garnets=2 * number)
    running.begin(made, host)
    return Season.objects.get(pk=made.pk)


def browser(name: str = "") -> Client:
    """A browser of this person, or of a visitor."""
    if not name:
        return Client()
    return browser_of(User.objects.filter(username=name).first() or person(name))


def user(name: str) -> User:
    return User.objects.get(username=name)


def garnets(season: Season) -> list[int]:
    state = Season.objects.get(pk=season.pk).decoded()
    assert state is not None
    return [int(account(state.purses, name)["garnet"]) for name in NAMES]


def give(season: Season, who: str, **typed: str) -> Any:
    return browser(who).post(f"{season.get_absolute_url()}gift/", typed)


def test_a_member_gives_garnets_once_and_what_is_refused_comes_back_with_its_reason(season: Season) -> None:
    page = text_of(browser("cat").get(season.get_absolute_url()))
    assert "Give garnets" in page
    assert "Give garnets" not in text_of(browser("dan").get(season.get_absolute_url()))
    for _ in range(2):
        assert give(season, "cat", to="ann", amount="3", key="k").status_code == 302
    assert garnets(season) == [3, 2, 1]
    for typed, said in (
        ({"to": "ann", "amount": "5"}, "can give that many at most"),
        ({"to": "ann", "amount": "0"}, "at least 1"),
        ({"to": "ann", "amount": "1.5"}, "Enter a whole number"),
        ({"to": "ann", "amount": "9" * 5000}, "Enter a whole number"),
        ({"to": "cat", "amount": "1"}, "somebody else"),
    ):
        answer = give(season, "cat", **typed)
        assert answer.status_code == 422
        assert said in text_of(answer)
        assert f'value="{typed["amount"][:100]}"' in text_of(answer), "what was typed is still there"
    assert give(season, "dan", to="ann", amount="1").status_code == 422
    assert garnets(season) == [3, 2, 1]
    assert verify(Season.objects.get(pk=season.pk)) == []


def test_everybody_reads_who_gives_to_whom_and_the_receiver_alone_how_many(season: Season) -> None:
    running.give_garnets(season, user("cat"), "ann", 3)
    notices.tell()
    told = {
        each.user.username: each.text
        for each in Notice.objects.filter(source__contains="season:").exclude(text__contains="has begun")
    }
    assert told == {"ann": "cat gives you 3 garnets."}
    news = SeasonNews.objects.get(season=season, kind="gift_given")
    assert "3" not in str(news.data)
    for name in ("", "bob"):
        page = text_of(browser(name).get(season.get_absolute_url()))
        assert "gives garnets to" in page
        assert ">3<" not in page[page.index("Standings") :], "balances are public as of the last settlement"


def test_a_gift_waits_for_nobody_and_a_match_takes_what_is_left(season: Season, host: Any) -> None:
    match = running.add_match(season, host, SLUG)
    running.give_garnets(season, user("cat"), "ann", 1)
    start_now(Match.objects.get(pk=match.pk), host)
    assert give(season, "bob", to="ann", amount="1").status_code == 422
    assert {each.handle: each.garnets for each in match.players.all()} == {"ann": 1, "bob": 2, "cat": 3}


def test_a_member_gives_so_often_a_day_and_no_more(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MOST_GIFTS", 1)
    assert give(season, "cat", to="ann", amount="1").status_code == 302
    assert "at most 1 times in 24 hours" in text_of(give(season, "cat", to="ann", amount="1"))
    gift = {"to": "ann", "amount": 1}
    refused = browser("cat").post(f"/api/v1/seasons/{season.public_id}/gift/", gift, "application/json")
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    assert give(season, "bob", to="ann", amount="1").status_code == 302


def test_a_seasons_log_has_words_for_each_command_and_for_a_gift(season: Season, host: Any) -> None:
    assert not {*VERBS, *SeasonRow.Kind} - {SeasonRow.Kind.COMMAND} - console._SENTENCES.keys()
    running.give_garnets(season, user("cat"), "ann", 2)
    assert "Gave ann 2 garnets" in SeasonDesk(host, season).page()
