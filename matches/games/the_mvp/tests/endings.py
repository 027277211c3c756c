"""The ways in which a match can end that its scenarios must show."""

from collections.abc import Callable
from typing import Any


def _result(**expected: Any) -> Callable[[Any], bool]:
    def is_shown(report: Any) -> bool:
        result = report["public"]["result"]
        return result is not None and all(result[key] == value for key, value in expected.items())

    return is_shown


def _winners(count: int) -> Callable[[Any], bool]:
    return lambda report: len(report["public"]["winners"]) == count


def _ends(how: str) -> Callable[[Any], bool]:
    return lambda report: bool(report["public"]["ending"] == how)


ENDINGS = {
    **{how: _ends(how) for how in ("all_claimed", "standstill", "last_round")},
    "red has more points": _result(team="red", nullified=False),
    "green has more points": _result(team="green", nullified=False),
    "the teams are tied": _result(team=None, nullified=False),
    "the teams are tied, with too many winners for Tokens of Life": _result(team=None, nullified=True),
    **{f"{count} winners": _winners(count) for count in (1, 2, 3, 4, 6)},
}
