"""The draws of a match, as a replay of its log finds them; and draws that hosts have replaced by a setting."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from matches.engine.draw import Draw
from matches.engine.sentences import fixed_in_words
from matches.engine.settings import Setting
from matches.infra.local_cache import LocalCache
from matches.models import Match, Submission

T = TypeVar("T")


class Drawn(NamedTuple):
    """One draw: `came` is the result. `kind`: "choice" (one of the options `among`), "order" (all items `among`,
    shuffled) or "number" (below `among`)."""

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
    """The draws that everyone may know when the match is over; `state` is its last state. Who did not vote, and which
    vote was drawn for them, stays private."""
    decisions = state.core.decisions if state is not None else None
    private = tuple(f"{poll.key}:for:" for poll in (decisions.polls if decisions else ()) if poll.kind == "vote")
    return tuple(each for each in drawn if not each.purpose.startswith(private))


# -- fixed draws ---------------------------------------------------------------------------------------------
# Draws that hosts have replaced by a setting. A host who sets the order or the deck knows what will come. Hosts never
# play, but their friends may, so before the match begins everybody is told what was set, and by whom. The value stays
# secret.


class FixedDraw(msgspec.Struct, frozen=True):
    """A setting in place of a draw: `what` is set, such as “the order of the numbers”, and the host's username (`by`;
    null if the log names none)."""

    what: str
    by: str | None

    @property
    def sentence(self) -> str:
        """A sentence that tells everybody."""
        return fixed_in_words(self.what, self.by or "")


_set_by: LocalCache[tuple[str, ...], dict[str, str]] = LocalCache(4096)


def fixed_draws(match: Match) -> tuple[FixedDraw, ...]:
    """What hosts have set in place of a draw, according to the match's present settings. Each process caches who set
    it: once the match has begun for good, because only drafts can be set, and before that until its log grows."""
    settings = [each for each in match.rules.settings if each.draw and match.config.get(each.key) is not None]
    if not settings:
        return ()
    key = (match.public_id, "" if match.has_begun else match.log_head, *(each.key for each in settings))
    if (hosts := _set_by.get(key)) is None:
        hosts = _setters(match, settings)
        _set_by.keep(key, hosts)
    return tuple(FixedDraw(each.draw, hosts.get(each.key) or None) for each in settings)


def _setters(match: Match, settings: list[Setting]) -> dict[str, str]:
    """Key -> the host who set it last, according to the log."""
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
