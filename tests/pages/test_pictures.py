"""Pictures of matches: what they are drawn with, and that a flood draws each of them once."""

import threading
import xml.etree.ElementTree as ElementTree

import pytest
from django.template import Context, Template

from matches.pages import pictures
from matches.pages.context import Headline, People, Person
from matches.pages.pictures import Drawing
from tests.pages.svg import faults_of

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


@pytest.mark.parametrize("title", ["", "W" * 120, "word " * 30, "</svg><!--", "\ud800\x00", "مباراة " * 20])
def test_any_title_fits_and_nothing_of_it_is_markup(title: str) -> None:
    svg = standard(NAMES, title, where=title)
    assert faults_of(svg) == []
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}  # noqa: S314
    assert "script" not in tags
    pictures.draw(svg)


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
