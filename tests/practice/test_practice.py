"""Practice: one person against bots, at a table that is no match."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils.html import escape

from accounts.models import User
from matches.engine.game import AnyGame
from matches.games.registry import all_games
from matches.models import Announcement, Match, Player, Submission, clock
from practice import services
from practice.models import PracticeTable
from practice.page import PracticePage
from practice.play import ME, Play
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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_it_begins_where_the_person_is_asked_something(game: AnyGame) -> None:
    """Not in a pregame, with a page that has nothing to press but “Next”."""
    play = Play.begun(game, SEED)
    assert game.private_view(play.state, ME).asked


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_its_page_shows_the_board_the_forms_and_what_happened(ann: Browser, game: AnyGame) -> None:
    assert "Begin" in ann.look(address(game))
    assert ann.post(address(game), {"do": "begin"}).status_code == 302
    for _ in range(3):
        page = ann.look(address(game))
        assert 'form="act-' in page or "Nothing to do" in page or "Nothing is asked of you now" in page
        assert 'id="part-board"' in page
        table = page[page.index("<main") : page.index("</main>")]
        assert "data-deadline=" not in table, "something counts down, though time stands still"
        assert not re.search(r"\d\d:\d\d UTC", table), "an instant is named, though time stands still"
        assert "/matches/practice/" not in page
        assert outside_their_form(page) == []
        assert ann.post(address(game), {"do": "on"}).status_code == 302


def outside_their_form(page: str) -> list[str]:
    """Which fields and buttons do not stand in a form of theirs with its token: text browsers know no other way."""
    found, around = [], ""
    for tag in re.findall(r"<(?:form|/form|input|select|textarea|button)\b[^>]*>", page):
        if tag.startswith("<form"):
            around = tag
        elif tag == "</form>":
            around = ""
        elif 'name="csrfmiddlewaretoken"' in tag:
            around += tag
        elif (named := re.search(r' form="act-(\w+)"', tag)) and not (
            f'data-of="{named[1]}"' in around and "csrf" in around
        ):
            found.append(tag)
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_bar_says_what_came_of_going_on(ann: Browser, game: AnyGame) -> None:
    """On a phone what happened is far below the board."""
    ann.post(address(game), {"do": "begin"})
    before = PracticeTable.objects.get().told
    ann.post(address(game), {"do": "on"})
    told = PracticeTable.objects.get().told[len(before) :]
    bar = ann.look(address(game)).partition('id="part-asked"')[2].partition("</div>")[0]
    assert any(escape(sentence) in bar for sentence in told)


def test_its_end_names_several_winners_in_a_sentence(monkeypatch: pytest.MonkeyPatch, ann: Browser) -> None:
    game = GAMES[0]
    ann.post(address(game), {"do": "begin"})
    context = PracticePage.context
    for winners, said in ((1, "ann wins."), (2, "ann and Ada win."), (3, "ann, Ada and Ben win.")):
        names = (ME, "ada", "ben")[:winners]
        over = {"is_over": True, "winners": names}
        monkeypatch.setattr(PracticePage, "context", lambda page, *given, over=over: {**context(page, *given), **over})
        page = re.sub(r"<svg.*?</svg>", "", ann.look(address(game)))
        assert said in " ".join(re.sub(r"<[^>]+>", " ", page).split()).replace(" ,", ","), said


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_its_end_leads_to_no_page_that_is_not_there(ann: Browser, game: AnyGame) -> None:
    ann.post(address(game), {"do": "begin"})
    while services.play_at(PracticeTable.objects.get()).due is not None:
        ann.post(address(game), {"do": "on"})
    page = ann.look(address(game))
    assert 'class="ahead"' in page
    assert "/matches/practice/" not in page


def test_it_leaves_no_trace_anywhere(ann: Browser) -> None:
    game = GAMES[0]
    ann.post(address(game), {"do": "begin"})
    ann.post(address(game), {"do": "on"})
    assert not any(model.objects.exists() for model in (Match, Player, Submission, Announcement))
    other = browser(User.objects.create_user("bob", "bob@example.org", None))
    assert "Begin" in other.look(address(game))
    for page in ("/", "/matches/", "/people/ann/", "/me/"):
        assert "Practice" not in other.look(page)


def test_there_is_one_table_of_each_game_and_it_is_cleared(ann: Browser, present: clock.FixedTime) -> None:
    for game in (GAMES[0], GAMES[1], GAMES[1]):
        ann.post(address(game), {"do": "begin"})
    services.clear()
    assert sorted(PracticeTable.objects.values_list("game", flat=True)) == sorted(each.slug for each in GAMES[:2])
    present.instant += timedelta(days=2)
    services.clear()
    assert not PracticeTable.objects.exists()
    ann.post(address(GAMES[0]), {"do": "begin"})
    ann.post(address(GAMES[0]), {"do": "leave"})
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
    assert re.search(r'class="asked" role="status">\s*<span class="asked__text">Bought 1 chip, [\d:]+ UTC', done)
    assert 'class="notices"' not in done
    assert "Bought 1 chip" not in ann.look(url)


def test_the_form_comes_back_in_its_sheet_and_only_then(ann: Browser) -> None:
    """A phone shows the forms when the address ends with the sheet's name, and takes that over from the form's."""
    game = next(game for game in GAMES if "buy_chips" in game.actions)
    url = address(game)
    assert ann.post(url, {"do": "begin"})["Location"] == f"{url}#"
    page = ann.look(url)
    assert re.search(r'<form class="act-form" id="act-buy_chips" method="post" action="#act"', page)
    assert re.search(r'id="act" popover', page)
    assert ann.post(url, {"type": "buy_chips", "count": "1"})["Location"] == f"{url}#"


def test_what_happened_is_told_of_the_person_by_name(ann: Browser) -> None:
    """“You bids 1 on V” is no sentence."""
    game = next(game for game in GAMES if "withdraw_raise" in game.actions)
    url = address(game)
    ann.post(url, {"do": "begin"})
    page = ann.look(url)
    assert "Nothing has happened yet" in page
    seat = re.findall(r'<option value="(\w+)"', page)[0]
    assert ann.post(url, {"type": "bid", "seat": seat, "amount": "1"}).status_code == 302
    ann.post(url, {"do": "on"})
    told = PracticeTable.objects.get().told
    assert any(line.startswith("ann ") for line in told), told
    assert not [line for line in told if re.search(r"\bYou (bids|wins|seals|stands)\b", line)]


def test_a_name_that_is_read_from_the_right_is_set_apart_in_what_happened(ann: Browser) -> None:
    User.objects.filter(username="ann").update(display_name="דנה")
    game = next(game for game in GAMES if "withdraw_raise" in game.actions)
    url = address(game)
    ann.post(url, {"do": "begin"})
    seat = re.findall(r'<option value="(\w+)"', ann.look(url))[0]
    ann.post(url, {"type": "bid", "seat": seat, "amount": "1"})
    ann.post(url, {"do": "on"})
    told = " ".join(PracticeTable.objects.get().told)
    assert "דנה" in told
    assert "דנה" not in told.replace("\u2068דנה\u2069", "")


def test_a_person_who_is_called_like_a_bot_is_told_apart(db: None, present: clock.FixedTime) -> None:
    user = User.objects.create_user("somebody", "somebody@example.org", None, display_name="Ada")
    table = PracticeTable(user=user)
    assert services.name_of(table, ME) == "Ada (you)"
    assert services.name_of(table, "ada") == "Ada"
    user.display_name = "ada"
    assert services.name_of(table, ME) == "ada (you)", "nor by capital letters alone"
