"""Pictures of matches: what they are drawn with, and that a flood draws each of them once."""

from __future__ import annotations

import struct
import threading
import xml.etree.ElementTree as ElementTree

import pytest
from django.template import Context, Template

from matches.pages import pictures
from matches.pages.context import People, Person
from matches.pages.headline import Headline
from matches.pages.pictures import Drawing, TooManyPictures
from matches.pages.previews import absolute
from tests.pages.svg import faults_of, size_of

NAMES = ("Ana", "</text><script>", "W" * 60, "&amp; \"'", "x\u202ey\x00\x0b", "李小龙", "аna", "a\u0301" * 50)


def standard(names: tuple[str, ...], title: str = "Night table", *, where: str = "Round 2 of 4") -> str:
    people = People(Person(f"p{n}", name, n, "", False, False) for n, name in enumerate(names))
    context = {
        "match": {"title": title, "game_title": "A game"},
        "view": None,
        "people": people,
        "headline": Headline(where, ("closes Sun 22 Nov, 21:00 UTC", f"{len(names)} players")),
    }
    template = Template('{% include "matches/standard/picture.svg" %}')
    return pictures.with_symbols(template.render(Context(context)))


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    pictures._pictures.clear()


@pytest.mark.parametrize("count", [0, 1, 2, 8, 25, 60])
def test_any_number_of_players_fits(count: int) -> None:
    svg = standard(tuple(f"{NAMES[n % len(NAMES)]}{n}" for n in range(count)))
    assert faults_of(svg, smallest=8) == []
    assert size_of(pictures.draw(svg)) == (1200, 630)


@pytest.mark.parametrize("title", ["", "W" * 120, "word " * 30, "</svg><!--", "\ud800\x00", "مباراة " * 20])
def test_any_title_fits_and_nothing_of_it_is_markup(title: str) -> None:
    svg = standard(NAMES, title, where=title)
    assert faults_of(svg) == []
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}  # noqa: S314
    assert "script" not in tags
    pictures.draw(svg)


def test_a_text_that_runs_out_of_the_picture_is_found() -> None:
    """The control."""
    wide = (
        '<svg xmlns="http://www.w3.org/2000/svg"><text x="900" y="50" font-size="40">far too long for this</text></svg>'
    )
    assert faults_of(wide) == ["far too long for this ends at 1285"]
    assert faults_of(wide.replace("900", "10").replace('"40"', '"4"')) == ["far too long for this is written in 4"]


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert pictures.draw(standard(NAMES)) == pictures.draw(standard(NAMES))


def test_no_font_of_the_system_is_used() -> None:
    """Another family falls back to the vendored one, and draws the same."""
    svg = standard(("Ana",))
    assert pictures.draw(svg) == pictures.draw(svg.replace("DejaVu Sans", "Georgia"))


def test_colours_are_the_design_tokens_by_night() -> None:
    tokens = pictures.tokens()
    assert tokens["paper"] == "#12151a"
    assert {f"mark-{n}" for n in range(12)} | {"felt", "on-felt", "felt-brass", "gold"} <= tokens.keys()
    assert ".fill-paper{fill:#12151a}" in pictures.style_sheet()


def test_symbols_bring_their_colours_along() -> None:
    svg = pictures.with_symbols('<svg><use href="#icons:garnet"/></svg>')
    assert "var(" not in svg
    assert svg.count("<symbol") == 1


def test_a_flood_draws_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    everybody = threading.Barrier(8)

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        return b"a picture"

    def ask() -> None:
        everybody.wait(10)
        answers.append(pictures.png_of(Drawing("<svg/>", "one")))

    answers: list[bytes] = []
    monkeypatch.setattr(pictures, "draw", draw)
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert answers == [b"a picture"] * 8
    assert len(drawn) == 1


def test_those_who_stand_in_line_too_long_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_SECONDS_IN_LINE", 0.05)
    with pictures._turn, pytest.raises(TooManyPictures):
        pictures.png_of(Drawing("<svg/>", "waiting"))


def test_no_more_than_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "draw", lambda svg: struct.pack("B", 1))
    for number in range(pictures._MOST_PICTURES + 5):
        pictures.png_of(Drawing("<svg/>", f"{number}"))
    assert 0 < len(pictures._pictures) <= pictures._MOST_PICTURES


def test_addresses_begin_with_the_sites_own(settings: object) -> None:
    settings.SITE_URL = "https://genius.example.org/"  # type: ignore[attr-defined]
    assert absolute("/matches/x/") == "https://genius.example.org/matches/x/"
