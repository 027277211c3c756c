"""Reading actions: strict, in the binding order, and never a traceback."""

import math
import re
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from matches.engine.actions import Action, GiveTokens, action_types, decode_action
from matches.engine.errors import Rejected


class Bid(Action, frozen=True, tag="bid"):
    seat: str
    amount: int


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: str


class Spread(Action, frozen=True, tag="spread"):
    bids: dict[str, dict[str, int]]
    items: tuple[Item, ...] = ()
    lift: bool = False
    share: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0


class Helped(Action, frozen=True, tag="helped"):
    seat: str
    up_to: int | msgspec.UnsetType = msgspec.UNSET


class Help(Action, frozen=True, tag="help"):
    is_aid = True


TYPES = action_types(Bid, Spread, GiveTokens)
GOOD = {"type": "bid", "seat": "Z", "amount": 3}
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def refusal(raw: object) -> Rejected:
    with pytest.raises(Rejected) as caught:
        decode_action(TYPES, raw)
    return caught.value


def test_a_good_action_is_typed() -> None:
    assert decode_action(TYPES, GOOD) == Bid("Z", 3)
    assert decode_action(TYPES, {"type": "spread", "bids": {"a": {"gold": 1}}}) == Spread({"a": {"gold": 1}})
    assert decode_action(TYPES, {"type": "give_tokens", "to": ["bob"]}) == GiveTokens(("bob",))


def test_refusals_name_the_moves_of_the_rules_and_no_aids() -> None:
    types = action_types(Helped, Help)
    assert decode_action(types, {"type": "help"}) == Help()
    assert decode_action(types, {"type": "helped", "seat": "Z", "up_to": 3}) == Helped("Z", 3)
    with pytest.raises(Rejected, match=re.escape("these actions: helped.")):
        decode_action(types, {"type": "fly"})
    with pytest.raises(Rejected, match=re.escape('Expected {"type": "helped", "seat": text}.')):
        decode_action(types, {"type": "helped"})


@pytest.mark.parametrize("raw", [None, 5, "bid", [], [GOOD], True, {}, {"seat": "Z"}, {"type": 5}, {"type": None}])
def test_what_is_no_object_or_has_no_type_is_malformed(raw: object) -> None:
    assert refusal(raw).code == "malformed"


@pytest.mark.parametrize("kind", ["", "fly", "BID", "vote", "\ud800", "x" * 10_000])
def test_a_type_that_the_game_does_not_know_comes_before_its_fields(kind: str) -> None:
    rejection = refusal({"type": kind, "amount": "5"})
    assert rejection.code == "unknown_action"
    assert "bid, give_tokens, spread" in rejection.message


@pytest.mark.parametrize("amount", ["5", True, False, None, 2.5, 3.0, 1e3, math.nan, math.inf, [], {}, [3], {"n": 3}])
def test_only_whole_numbers_are_whole_numbers(amount: object) -> None:
    rejection = refusal({**GOOD, "amount": amount})
    assert (rejection.code, rejection.field) == ("malformed", "amount")
    assert "expected a whole number" in rejection.message


def test_a_missing_field_is_named() -> None:
    rejection = refusal({"type": "bid", "seat": "Z"})
    assert (rejection.code, rejection.field) == ("malformed", "amount")
    assert rejection.message == 'amount: missing. Expected {"type": "bid", "seat": text, "amount": whole number}.'


@pytest.mark.parametrize("name", ["x", "", "Amount", "tag", "\ud800", "x` - at `$.seat", "x" * 100_000, "\x1b[31m\n"])
def test_an_unknown_field_is_malformed_whatever_it_is_called(name: str) -> None:
    rejection = refusal({**GOOD, name: 1})
    assert rejection.code == "malformed"
    assert "unknown field" in rejection.message or "there is no" in rejection.message


@pytest.mark.parametrize(
    "fields",
    [
        {"bids": []},
        {"bids": {"a": 1}},
        {"bids": {"a": {"gold": 1.0}}},
        {"bids": {"a": {"gold": True}}},
        {"bids": {}, "items": {"item": "net"}},
        {"bids": {}, "items": ["net"]},
        {"bids": {}, "items": [{"item": "net", "\ud800": 1}]},
        {"bids": {}, "lift": 1},
        {"bids": {}, "lift": "true"},
        {"bids": {}, "lift": None},
    ],
)
def test_what_is_inside_is_read_as_strictly(fields: dict[str, Any]) -> None:
    assert refusal({"type": "spread", **fields}).code == "malformed"


# Where it was never run, tables of all characters are made first, which takes as long as it takes.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(["seat", "amount", "bids", "items", "to", "\udfff"]), JSON_VALUES), JSON_VALUES)
@example({}, {"type": []})
def test_nothing_that_json_can_say_escapes_as_another_error(fields: dict[str, Any], other: Any) -> None:
    for raw in (other, *({"type": kind, **fields} for kind in TYPES)):
        rejection = None
        try:
            decode_action(TYPES, raw)
        except Rejected as error:
            rejection = error
        if rejection is not None:
            assert rejection.code in {"malformed", "unknown_action"}
            assert rejection.message.isprintable()
            assert len(rejection.message) < 700
