"""From what a browser sends to an action, and from a rejection back to the input that it is about."""

from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from django.http import QueryDict

from matches.engine.actions import Action, action_types, decode_action
from matches.pages.forms import Form, FormError, input_name, read_action


class Coins(msgspec.Struct, frozen=True):
    gold: int = 0
    silver: int = 0


class Use(msgspec.Struct, frozen=True):
    item: str
    auction: str | None = None
    count: int | None = None


class Seal(Action, frozen=True, tag="seal"):
    bids: dict[str, Coins] = {}
    numbers: dict[str, int] = {}
    items: tuple[Use, ...] = ()
    to: tuple[str, ...] = ()
    lift: bool = False
    note: str | None = None


class Spend(Action, frozen=True, tag="spend"):
    """A question of amounts, and one that needs them."""

    amounts: tuple[int, ...]
    span: Coins


TYPES = action_types(Seal, Spend)


def read(*pairs: tuple[str, str], kind: str = "seal") -> Form:
    return read_action(TYPES, QueryDict(urlencode([("type", kind), *pairs])))


def action_of(*pairs: tuple[str, str]) -> dict[str, Any]:
    """What was typed of `seal`, without what was left alone."""
    action = read(*pairs).action
    decode_action(TYPES, action)
    return {name: value for name, value in action.items() if name != "type" and value not in ({}, [], False)}


ANY_NAME = ["Treasury", "7", "St. Mary", "a]b[c", "100%", "50%25", "½ & ☃ + ?", "'\"<b>", "a" * 60, "🂡" * 60]


@pytest.mark.parametrize("name", ANY_NAME)
def test_an_entry_may_have_any_name(name: str) -> None:
    field = input_name("bids", name, "gold")
    assert action_of((field, "2")) == {"bids": {name: {"gold": 2}}}
    assert read((field, "2")).refused(f"bids.{name}.gold", "no").errors == {field: "no"}
    assert read((field, "2")).refused(f'bids["{name}"].gold', "no").errors == {field: "no"}


def test_a_rejection_finds_the_row_that_was_typed() -> None:
    form = read(
        ("items[0][item]", ""), ("items[4][item]", "oil"), ("items[7][item]", "net"), ("items[7][auction]", "B")
    )
    assert form.refused("items[1].auction", "no").errors == {"items[7][auction]": "no"}
    assert form.refused("items[0].item", "no").errors == {"items[4][item]": "no"}
    assert form.refused("items[2].item", "no").errors == {"": "no"}


@pytest.mark.parametrize(
    ("field", "at"),
    [
        ("numbers.7", "numbers[7]"),
        ("numbers[7]", "numbers[7]"),
        ("numbers.8", "numbers[8]"),
        ("bids.St.gold", "bids[St][gold]"),
        ("bids.St. Mary.gold", "bids[St.%20Mary][gold]"),
        ("to[1]", "to"),
        ("to", "to"),
        ("note", "note"),
        ("numbers", ""),
        ("numbers.70", ""),
        ("bids.St", ""),
        ("bids[...]", ""),
        ("nothing", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_rejection_is_shown_at_its_input_or_at_the_form(field: str | None, at: str) -> None:
    typed = [("numbers[7]", "3"), ("numbers[8]", ""), ("bids[St][gold]", "1"), ("bids[St.%20Mary][gold]", "1")]
    form = read(*typed, ("to", "ann"), ("to", "bob"), ("note", "x"))
    assert form.refused(field, "no").errors == {at: "no"}


STRANGE = [
    *("items", "items[]", "items[[0]]", "items[0]", "items[0][item][deep][er]", "items[0", "items]0[", "[items]"),
    *("bids[%]", "bids[%FF][gold]", "bids[%00][gold]", "bids[\x00][gold]", "bids[][gold]", "bids[a][gold][x]"),
    *("ite\u0301ms[0][item]", "numbers[\u0663]", "x" * 5000, f"bids[{'x' * 5000}][gold]"),
    *("lift[0]", "to[0]", "note[0]", "__class__[0]"),
]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("value", ["1", "x", ""])
def test_strange_names_harm_nobody(name: str, value: str) -> None:
    sent = QueryDict(urlencode([("type", "seal"), (name, value)]))
    try:
        form_state = read_action(TYPES, sent).refused(f"{name}.x", "no")
    except FormError as error:
        form_state = error.form_state
    assert list(form_state.values) == [name]
    assert len(form_state.errors) == 1
