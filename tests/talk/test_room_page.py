"""A room reads like a messenger: one name above what somebody writes in a row, a line above what is new, quotes."""

import re

import pytest

from matches.models.clock import FixedTime
from tests.fixtures.made_once import made_once
from tests.talk.season_table import SeasonTalkTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(present: FixedTime) -> SeasonTalkTable:
    return made_once("season talk", lambda: SeasonTalkTable(present), present)


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
