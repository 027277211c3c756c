"""Configs: every key has a default, is read strictly, and is named when it is wrong."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

import pytest

from matches.engine.errors import ConfigError
from matches.engine.match_time import DAY
from matches.engine.settings import Flag, Settings, Span, Values, Whole, settings_of
from tests.engine.tiny_game import GAME


def refusal(raw: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        GAME.read_config(raw)
    return caught.value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("chips", value) for value in ("5", True, None, 2.5, 3.0, -1, 1001, 10**4000, [])),
        *(("closes", value) for value in ("soon", -1, True, None, "3651d", float("nan"), [])),
        *(("garnet_credit", value) for value in (1, 0, "true", None)),
        *(("prize", value) for value in ("gold", None, 1, ["garnet"])),
        *(("ending", value) for value in (5, {"tokens": {"ann": 1.0}}, {"more": 1}, {"\ud800": 1})),
    ],
    ids=lambda value: str(value)[:20] if not isinstance(value, dict) else "object",
)
def test_a_wrong_value_is_refused_by_its_key(key: str, value: object) -> None:
    rejection = refusal({key: value})
    assert rejection.setting == key
    assert rejection.message


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    rejection = refusal({"chip": 5})
    assert rejection.key == "chip"
    assert "chips" in rejection.message


@pytest.mark.parametrize("raw", [None, [], 5, "chips"])
def test_a_config_is_an_object(raw: object) -> None:
    assert refusal(raw).key == "config"


def _half_the_rows(values: Values) -> int:
    return int(values["rows"]) // 2


class Board(Settings, frozen=True, kw_only=True):
    """Settings in which the default of one depends on another."""

    rows: Annotated[int, Whole("Rows", "From top to bottom.", maximum=20)] = 8
    decision_time: Annotated[timedelta, Span("Time to decide")] = DAY
    columns: Annotated[int, Whole("Columns", default_from=_half_the_rows)]
    lit: Annotated[bool, Flag("Lit")] = False


def test_a_setting_is_declared_by_its_field_alone() -> None:
    assert [(each.key, each.label) for each in settings_of(Board)] == [
        *(("rows", "Rows"), ("columns", "Columns"), ("lit", "Lit"), ("decision_time", "Time to decide")),
    ]
    assert Board.read({}).write() == {"rows": 8, "columns": 4, "lit": False, "decision_time": "24h"}


class Stack(Board, frozen=True, kw_only=True):
    """Settings that cannot all be played together."""

    def conflicts(self) -> Iterator[ConfigError]:
        if self.rows < self.columns:
            yield ConfigError("columns", "more columns than rows", beside=("rows",))
        if self.lit and self.decision_time > DAY:
            yield ConfigError("lit.late", "nobody keeps a light on for so long", beside=("decision_time",))


def test_everything_that_is_wrong_is_found_at_once() -> None:
    _, wrong = Stack.judge({"row": 1, "rows": 2, "columns": 3, "lit": True, "decision_time": "2d"})
    assert [each.setting for each in wrong] == ["row", "columns", "lit"]
