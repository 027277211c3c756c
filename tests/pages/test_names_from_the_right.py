"""A name that is read from the right turns nothing around that stands beside it in a sentence."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

START, END = "\u2068", "\u2069"
"""The marks between which the direction of a text is its own (Unicode's FSI and PDI)."""


def counted(**names: str) -> str:
    poll = {"how": "voted", "votes": {handle: len(handle) for handle in names}}
    people = SimpleNamespace(name=lambda handle: names[handle])
    return " ".join(render_to_string("matches/includes/how_decided.html", {"poll": poll, "people": people}).split())


@pytest.mark.parametrize("name", ["דנה", "ليلى", "Noa נועה"])
def test_such_a_name_is_set_apart_from_the_number_after_it(name: str) -> None:
    assert counted(ann=name, cat="Cat") == f"By votes: {START}{name}{END} 3, Cat 3."


def test_other_names_are_as_they_are() -> None:
    assert counted(ann="Ann", dora="Đóra 🎲") == "By votes: Ann 3, Đóra 🎲 4."
