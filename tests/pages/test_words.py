"""The small words of the pages: marks, amounts, deadlines, spans of time."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import Context, Template
from django.test import RequestFactory

from matches.engine.sentences import asset_unit
from matches.infra.moments import moment_in_words
from matches.pages import avatars
from matches.pages.assets import ICONS, icon_of
from matches.pages.durations import in_few_words, in_round_words, in_words, moment_in_short, urgency
from matches.web.styleguide import styleguide

STATIC = Path(__file__).parents[2] / "static"
NOW = datetime(2031, 11, 22, 10, tzinfo=UTC)


def draw(source: str, **context: object) -> str:
    return Template("{% load components %}" + source).render(Context(context))


def test_a_line_for_each_lot_says_its_amounts_or_else_its_words() -> None:
    lines = [
        SimpleNamespace(lot="<R>", amounts="1–3", words="?"),
        SimpleNamespace(lot="S", amounts="", words="5 & more"),
    ]
    assert draw("{% lot_lines lines %}", lines=lines) == (
        '<li><strong>&lt;R&gt;</strong> <span class="number">1–3</span></li>'
        '<li><strong>S</strong> <span class="soft">5 &amp; more</span></li>'
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (-5, "0 s"),
        (59, "59 s"),
        (60, "1 min 00 s"),
        (899, "14 min 59 s"),
        (900, "15 min"),
        (3600, "1 h"),
        (5700, "1 h 35 min"),
        (86400, "24 h"),
        (172799, "47 h 59 min"),
        (172800, "2 days"),
        (273600, "3 days 4 h"),
    ],
)
def test_spans_are_said_by_the_two_parts_that_matter(seconds: int, words: str) -> None:
    assert in_words(seconds) == words
    assert in_words(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-5, "0 s"), (119, "119 s"), (120, "2 min"), (899, "14 min"), (900, "15 min"), (3660, "1 h 1 min")],
)
def test_a_countdown_on_a_board_needs_seconds_only_at_the_end(seconds: int, words: str) -> None:
    assert in_few_words(seconds) == words


def test_equal_times_are_equally_urgent() -> None:
    minutes = (121, 119, 16, 14, 0)
    assert [urgency(timedelta(minutes=left)) for left in minutes] == ["calm", "soon", "soon", "urgent", "passed"]


def test_a_span_that_is_a_rule_has_no_idle_seconds() -> None:
    assert in_round_words(timedelta(minutes=5)) == "5 min"


def test_moments_are_absolute_and_name_their_zone() -> None:
    assert moment_in_words(NOW) == "Sat 22 Nov, 10:00 UTC"


@pytest.mark.parametrize(
    ("left", "urgency", "words"),
    [
        (timedelta(hours=5), "calm", "in 5 h"),
        (timedelta(minutes=119), "soon", "in 1 h 59 min"),
        (timedelta(minutes=14), "urgent", "in 14 min 00 s"),
        (timedelta(0), "passed", "time is up"),
    ],
)
def test_a_deadline_grows_louder_as_it_comes_near(left: timedelta, urgency: str, words: str) -> None:
    html = draw("{% deadline at now %}", at=NOW + left, now=NOW)
    assert f'data-urgency="{urgency}"' in html
    assert words in html
    assert moment_in_words(NOW + left) in html


def test_a_paused_deadline_says_since_when_and_what_is_left() -> None:
    since = NOW - timedelta(hours=1)
    html = draw("{% deadline at now since %}", at=NOW + timedelta(hours=5), now=NOW, since=since)
    assert "paused since Sat 22 Nov, 09:00 UTC,</span> 6 h left" in html
    assert 'data-urgency="paused"' in html


def test_a_deadline_is_the_same_bytes_for_viewers_everywhere() -> None:
    at = NOW + timedelta(hours=5)
    there = at.astimezone(ZoneInfo("Asia/Tokyo"))
    assert draw("{% deadline at now %}", at=at, now=NOW) == draw("{% deadline at now %}", at=there, now=NOW)


def test_forty_eight_players_have_forty_eight_marks() -> None:
    marks = [avatars.mark_of(index) for index in range(48)]
    assert len(set(marks)) == 48
    assert len({mark.split("-")[0] for mark in marks[:12]}) == 12
    assert [avatars.colour_of(index) for index in (0, 11, 12)] == [0, 11, 0]


def test_every_mark_is_drawn_once_for_all_pages() -> None:
    drawn = {symbol.get("id") for symbol in ElementTree.parse(STATIC / "img" / "marks.svg").getroot()}  # noqa: S314
    assert drawn == {avatars.mark_of(index, team=team) for index in range(48) for team in (False, True)}
    page = draw("{% mark 'ann' 13 %}")
    assert f"#{avatars.mark_of(13)}" in page
    assert "<path" not in page


@pytest.mark.parametrize(
    ("name", "initials"), [("ann", "An"), ("Ann Lee", "AL"), ("june.k", "Jk"), ("x", "X"), ("", "?"), ("--", "?")]
)
def test_marks_carry_initials(name: str, initials: str) -> None:
    assert avatars.initials_of(name) == initials


def test_a_mark_keeps_its_name_for_those_who_do_not_see_it() -> None:
    html = draw("{% mark name 3 only_shape=True %}", name="<b>")
    assert "visually-hidden" in html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_every_asset_has_its_own_icon_and_its_unit_in_words() -> None:
    drawn = {symbol.get("id") for symbol in ElementTree.parse(STATIC / "img" / "icons.svg").getroot()}  # noqa: S314
    assert len(set(ICONS.values())) == len(ICONS)
    for name, icon in ICONS.items():
        assert icon in drawn
        assert asset_unit(name, 1) in draw("{% amount name 1 %}", name=name)
        assert asset_unit(name, 2) in draw("{% amount name 2 %}", name=name)


def test_an_asset_nobody_has_drawn_yet_is_shown_under_its_own_name() -> None:
    assert "night pass" in draw("{% amount 'night_pass' 2 %}")


def test_an_amount_that_has_moved_has_its_sign_before_the_number() -> None:
    received = draw("{% amount 'garnet' 1 signed=True %}")
    assert '<span class="number">+1</span>' in received
    assert asset_unit("garnet", 1) in received
    for given in ("{% amount 'garnet' -2 signed=True %}", "{% amount 'garnet' -2 %}"):
        assert '<span class="number">−2</span>' in draw(given)
    assert '<span class="number">2</span>' in draw("{% amount 'garnet' 2 %}")


def test_panels_say_who_knows_what_is_in_them() -> None:
    assert "only you" in draw("{% panel 'Purse' 'mine' %}12{% endpanel %}")
    assert "sealed" in draw("{% panel 'Bids' 'sealed' %}{% endpanel %}")
    assert "only you" not in draw("{% panel 'Board' %}{% endpanel %}")


def test_each_icon_used_in_a_template_is_drawn() -> None:
    drawn = {symbol.get("id") for symbol in ElementTree.parse(STATIC / "img" / "icons.svg").getroot()}  # noqa: S314
    root = STATIC.parent
    for template in (*root.glob("templates/**/*.html"), *root.glob("matches/games/*/templates/**/*.html")):
        for name in re.findall(r'{% icon "([\w-]+)"', template.read_text()):
            assert name in drawn, f"{template.name} asks for {name}"


@pytest.mark.parametrize(
    ("name", "icon", "one", "two"),
    [
        ("gold", "gold", "gold coin", "gold coins"),
        ("item:wide_net", "item", "wide net", "wide net"),
        ("sea_shell", "token", "sea shell", "sea shells"),
    ],
)
def test_what_people_own_has_an_icon_and_a_word(name: str, icon: str, one: str, two: str) -> None:
    assert (icon_of(name), asset_unit(name, 1), asset_unit(name, 2)) == (icon, one, two)


@pytest.mark.django_db
def test_the_style_guide_shows_everything(rf: RequestFactory) -> None:
    request = rf.get("/styleguide/")
    request.user = AnonymousUser()
    page = styleguide(request).content.decode()
    for block in ("deadline", "amount", "mark", "lot", "feed", "panel", "state", "match-card", "stepper"):
        assert f'class="{block}' in page


@pytest.mark.parametrize(
    "tag", ["amount 'chip' 3", "mark 'ann' 0", "moment now", "knowledge 'mine'", "deadline now now"]
)
def test_words_inside_a_sentence_leave_no_space_before_its_comma(tag: str) -> None:
    assert draw("{% " + tag + " %},", now=NOW).endswith(">,")


def test_a_moment_in_little_room_is_a_day_and_a_time_or_the_whole_date() -> None:
    now = datetime(2026, 3, 1, 14, tzinfo=UTC)
    assert moment_in_short(now + timedelta(days=1), now) == "Mon 14:00 UTC"
    assert moment_in_short(now - timedelta(days=5), now) == "Tue 14:00 UTC"
    assert moment_in_short(now + timedelta(days=8), now) == "Mon 9 Mar, 14:00 UTC"
