"""A room reads like a messenger: one name above what somebody writes in a row, a line above what is new, quotes."""

import re
from datetime import timedelta

import pytest

from matches.models.clock import FixedTime
from talk.queries.unread import Author, authors_in_words, news_in
from tests.fixtures.made_once import made_once
from tests.talk.season_table import CAST, HOST, SeasonTalkTable

pytestmark = pytest.mark.django_db

SAME = "talk__line--same"


@pytest.fixture
def table(present: FixedTime) -> SeasonTalkTable:
    return made_once("season talk", lambda: SeasonTalkTable(present), present)


def lines(page: str) -> list[str]:
    return re.findall(r'<li class="talk__(?:line|new).*?</li>', page, re.S)


def test_who_writes_several_messages_soon_is_named_once(table: SeasonTalkTable) -> None:
    for name, minutes in (("ann", 0), ("ann", 9), ("ann", 10), ("bob", 0), ("ann", 0)):
        table.present.forward(timedelta(minutes=minutes))
        table.say(name, "hello")
    found = lines(table.browser("ann").look(table.address("channel", "lounge")))
    assert [SAME in line for line in found if "talk__new" not in line] == [False, True, False, False, False]


def test_a_line_stands_above_what_is_new_and_stays_while_the_page_is_open(table: SeasonTalkTable) -> None:
    browser, room = table.browser("bob"), table.address("channel", "lounge")
    table.say("ann", "old")
    browser.look(room)
    table.say("ann", "new")
    table.say("bob", "mine")
    table.say("cat", "newer")
    page = browser.look(room)
    assert ["talk__new" in line for line in lines(page)] == [False, True, False, False, False]
    (latest,) = re.findall(r'data-latest="([^"]*)"', page)
    assert [line.split('"')[1] for line in lines(browser.look(latest))] == [line.split('"')[1] for line in lines(page)]
    assert not any("talk__new" in line for line in lines(browser.look(room)))


def test_lines_that_quote_are_set_apart_and_hold_no_markup(table: SeasonTalkTable) -> None:
    table.say("ann", "> bob: <b>hi</b>\n> again\n:> I agree\n>:(")
    page = table.browser("bob").look(table.address("channel", "lounge"))
    assert "<blockquote>bob: &lt;b&gt;hi&lt;/b&gt;\nagain</blockquote>:&gt; I agree\n&gt;:(" in page


def test_only_a_mention_that_reached_somebody_is_marked(table: SeasonTalkTable) -> None:
    text = "@Bob. or @dora, not @nobody or bob@bob\n> @cat & <@dan>"
    for room, reached in (("lounge", ["@Bob", "@dora", "@cat", "@dan"]), (table.whisper("ann", "bob"), ["@Bob"])):
        table.say("ann", text, room)
        page = table.browser("bob").look(table.address("channel", room))
        assert re.findall(r'<b class="talk__mention">(.*?)</b>', page) == reached
    assert "&lt;@dan&gt;" in page


def test_one_reads_who_has_written_and_where(table: SeasonTalkTable) -> None:
    table.say("ann", "hello")
    table.say("bob", "hello", table.whisper("bob", "cat", title="The north"))
    assert news_in(table.home("cat")) == "bob in “The north”; ann in the lounge"
    assert news_in(table.home("bob")) == "ann in the lounge"
    assert news_in(table.home("ann")) == ""
    notices = table.browser("cat").look("/notices/")
    assert "bob in “The north”" in notices
    assert "The north" not in table.browser(HOST).look("/notices/")
    assert set(CAST) >= {"ann", "bob", "cat"}


def test_of_many_authors_the_latest_are_named() -> None:
    many = [Author(name, "player") for name in ("Ann", "Bob", "Ann", "Cat", "Dan", "Eve")]
    assert authors_in_words(many) == "Ann, Bob, Cat and 2 others"
    assert authors_in_words(many[:2]) == "Ann and Bob"
    assert authors_in_words([]) == "Somebody"
