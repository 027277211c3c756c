"""Practice: one person against bots, at a table that is no match."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError

from accounts.models import User
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.infra.rate_limits import Buckets
from matches.models import Announcement, Match, Player, Submission, clock
from practice import services, views
from practice.models import PracticeTable
from practice.services import ME, Play
from tests.web.conftest import Browser, browser

GAMES = list(all_games().values())
SEED = bytes(range(32)).hex()


@pytest.fixture
def ann(db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Each table has the same seed: once in 250 a match of bots is over after two presses."""
    monkeypatch.setattr(services, "new_seed", lambda: SEED)
    return browser(User.objects.create_user("ann", "ann@example.org", None))


def address(game: AnyGame) -> str:
    return f"/games/{game.slug}/practice/"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_can_be_practised_to_its_end_in_a_few_minutes(game: AnyGame) -> None:
    play = Play.begun(game, SEED)
    pressed = 0
    while play.due is not None:
        before = (play.time, play.state)
        play.go_on()
        assert (play.time, play.state) != before
        pressed += 1
        assert pressed < 1500
    assert play.told
    assert game.outcome(play.state) is not None


def test_it_leaves_no_trace_anywhere(ann: Browser) -> None:
    game = GAMES[0]
    ann.post(address(game), {"do": "begin"})
    ann.post(address(game), {"do": "on"})
    assert not any(model.objects.exists() for model in (Match, Player, Submission, Announcement))
    other = browser(User.objects.create_user("bob", "bob@example.org", None))
    assert "Begin" in other.look(address(game))
    for page in ("/", "/matches/", "/people/ann/", "/me/"):
        assert "Practice" not in other.look(page)


def test_two_that_begin_at_once_share_the_first_table(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def conflict(*args: Any) -> None:
        raise IntegrityError("one_table_a_game")

    monkeypatch.setattr(services, "new_table", conflict)
    assert ann.post(address(GAMES[0]), {"do": "begin"}).status_code == 302


def test_there_is_one_table_of_each_game_and_it_is_cleared(ann: Browser, present: clock.FixedTime) -> None:
    for game in (GAMES[0], GAMES[1], GAMES[1]):
        ann.post(address(game), {"do": "begin"})
    services.clear()
    assert sorted(PracticeTable.objects.values_list("game", flat=True)) == sorted(each.slug for each in GAMES[:2])
    present.instant += timedelta(days=2)
    services.clear()
    assert not PracticeTable.objects.exists()
    assert ann.post(address(GAMES[0]), {"do": "on"}).status_code == 302  # and the page offers a new one


def test_the_rules_judge_what_one_does(ann: Browser) -> None:
    game = next(game for game in GAMES if "buy_chips" in game.actions)
    url = address(game)
    ann.post(url, {"do": "begin"})
    ask: Any = ann.post(f"{url}preview/", {"type": "buy_chips", "count": "1"})
    assert "submission__forecast--good" in ask.content.decode()
    refused = ann.post(url, {"type": "buy_chips", "count": "1000"})
    assert refused.status_code == 422
    assert re.search(r'id="buy_chips-count-error"|field__error', refused.content.decode())
    assert ann.post(url, {"type": "fly"}).status_code == 422
    before = services.play_at(PracticeTable.objects.get()).state
    assert ann.post(url, {"type": "buy_chips", "count": "1"}).status_code == 302
    after = services.play_at(PracticeTable.objects.get()).state
    assert game.private_view(before, ME) != game.private_view(after, ME)
    done = ann.look(url)
    assert re.search(r'role="status">\s*<svg .*</svg> Bought 1 chip, [\d:]+ UTC', done)
    assert 'class="notices"' not in done
    assert "Bought 1 chip" not in ann.look(url)


def test_visitors_of_one_address_fill_nothing_with_tables(
    db: None, present: clock.FixedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "_visitors_tables", Buckets(rate=1e-9, burst=3))
    answers = [browser().post(address(GAMES[0]), {"do": "begin"}).status_code for _ in range(5)]
    assert answers == [302, 302, 302, 429, 429]
    assert PracticeTable.objects.count() == 3
    ann = browser(User.objects.create_user("ann", "ann@example.org", None))
    assert ann.post(address(GAMES[0]), {"do": "begin"}).status_code == 302, "an account has one table of a game"


def test_a_visitor_practises_without_an_account_and_sees_no_other_visitors_table(
    db: None, present: clock.FixedTime
) -> None:
    game, visitor, other = GAMES[0], browser(), browser()
    assert "Begin" in visitor.look(address(game))
    assert not PracticeTable.objects.exists(), "looking lays no table"
    assert visitor.post(address(game), {"do": "begin"}).status_code == 302
    assert visitor.post(address(game), {"do": "on"}).status_code == 302
    assert 'class="match-line' in visitor.look(address(game))
    assert other.post(address(game), {"do": "on"}).status_code == 302
    assert 'class="match-line' not in other.look(address(game))
    before = PracticeTable.objects.get().pk
    assert visitor.post(address(game), {"do": "sit"}).status_code == 302
    table = PracticeTable.objects.get()
    assert table.pk == before, "from the front page one comes back to one's table"
    assert table.user is None
    assert other.post(address(game), {"do": "sit"}).status_code == 302
    assert PracticeTable.objects.count() == 2
    assert services.name_of(table, ME) == "Guest"


def test_the_first_move_on_the_front_page_lays_the_table_that_was_seen_there(
    db: None, present: clock.FixedTime
) -> None:
    visitor = browser()
    front = visitor.look("/")
    assert not PracticeTable.objects.exists(), "looking lays no table"
    frames = re.findall(r'action="(/games/[^"]+)#act".*?name="type" value="(\w+)".*?name="key" value="(\w+)"', front)
    first, kind, seed = frames[0]
    sent = {"type": kind, "key": seed}
    assert visitor.post(first, sent).status_code == 422, "without an amount it is refused at the table"
    table = PracticeTable.objects.get()
    assert (table.seed, table.steps) == (seed, 0)
    assert visitor.post(first, sent).status_code == 302, "sent again from the page that is still open elsewhere"
    assert "Your move was not sent" in visitor.look(first)
    assert PracticeTable.objects.get().state == table.state
    assert f'name="key" value="{seed}"' not in visitor.look("/"), "now it is the board of this table"
    for seed in ("zz", "0" * 65):
        assert browser().post(first, sent | {"key": seed}).status_code < 500
