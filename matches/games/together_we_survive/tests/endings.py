"""The ways in which a match can end that its scenarios must show, in either group."""

from collections.abc import Callable
from typing import Any


def _some_group(is_so: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda report: bool(report["outcome"]) and any(map(is_so, report["public"]["result"]["groups"]))


ENDINGS = {
    "a mass win": _some_group(lambda group: bool(group["mass_win"])),
    "all of a group win and lose": _some_group(lambda group: bool(group["winners"] == group["losers"])),
    "winners with a Token of Life": _some_group(lambda group: 1 in group["tokens_won"].values()),
    "a sole winner with two": _some_group(lambda group: 2 in group["tokens_won"].values()),
    "a sole winner with three": _some_group(lambda group: 3 in group["tokens_won"].values()),
}
