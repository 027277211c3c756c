"""What chance decided in a match, as a replay of its log finds it again."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from matches.engine.draw import Draw
from matches.engine.sentences import fixed_in_words
from matches.engine.settings import Setting
from matches.models import Match, Submission

T = TypeVar("T")


class Drawn(NamedTuple):
    """One draw. `kind`: "choice" (`among` options, one `came`), "order" (`among` items, all in the order in which they
    `came`) or "number" (below `among`)."""

    kind: str
    purpose: str
    among: Any
    came: Any


class Recorder(Draw):
    """A `Draw` with the match's seed that remembers what it has drawn."""

    __slots__ = ("drawn",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.drawn: list[Drawn] = []

    def integer(self, purpose: str, bound: int) -> int:
        number = super().integer(purpose, bound)
        self.drawn.append(Drawn("number", purpose, bound, number))
        return number

    def choice(self, purpose: str, options: Sequence[T]) -> T:
        came = options[Draw.integer(self, purpose, len(options))]
        self.drawn.append(Drawn("choice", purpose, list(options), came))
        return came

    def shuffle(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        came = super().shuffle(purpose, items)
        self.drawn.append(Drawn("order", purpose, list(items), list(came)))
        return came


def public_draws(drawn: Iterable[Drawn], state: Any) -> tuple[Drawn, ...]:
    """The draws that everyone may know of when the match is over; `state` is its last. Who did not vote, and which vote
    was drawn for them, stays private."""
    decisions = state.core.decisions if state is not None else None
    private = tuple(f"{poll.key}:for:" for poll in (decisions.polls if decisions else ()) if poll.kind == "vote")
    return tuple(each for each in drawn if not each.purpose.startswith(private))


# -- fixed draws ---------------------------------------------------------------------------------------------
# Which draws hosts have replaced by a setting of their own. Everybody is told of them before the match begins.
#
# A host who sets the order or the deck knows what will come. Hosts never play, but their friends may, so everybody is
# told that it was set, and by whom. The value stays secret.


class FixedDraw(msgspec.Struct, frozen=True):
    """`what` is set, such as “the order of the numbers”; `by` is the host's username, null where no log names one."""

    what: str
    by: str | None

    @property
    def sentence(self) -> str:
        """A sentence that says so."""
        return fixed_in_words(self.what, self.by or "")


def fixed_draws(match: Match) -> tuple[FixedDraw, ...]:
    """What is set by hosts and not drawn, according to the match's present settings."""
    settings = [each for each in match.rules.settings if each.draw and match.config.get(each.key) is not None]
    if not settings:
        return ()
    hosts = _setters(match, settings)
    return tuple(FixedDraw(each.draw, hosts.get(each.key) or None) for each in settings)


def _setters(match: Match, settings: list[Setting]) -> dict[str, str]:
    """Key -> the host who has last set it, as the log has it."""
    found = {}
    rows = match.log.filter(kind=Submission.Kind.COMMAND, player=None, user__isnull=False).order_by("number")
    for actor, payload in rows.values_list("actor", "payload"):
        before, after = _change(json.loads(payload))
        for each in settings:
            if after.get(each.key) is not None and after[each.key] != before.get(each.key):
                found[each.key] = actor.partition(":")[2]
    return found


def _change(payload: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The stored settings before and after a command."""
    if payload["command"] == "create":
        return {}, payload["settings"]["config"]
    if payload["command"] == "update" and "config" in payload["changes"]:
        before, after = payload["changes"]["config"]
        return before, after
    return {}, {}
