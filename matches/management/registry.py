"""What else than matches can be played from files and verified; apps register it here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from matches.engine import scenario as scenarios
from matches.games.registry import game_of

# -- scenario kinds --------------------------------------------------------------------------------------
# What kinds of scenario files there are: matches, and what other apps register (`register` in `AppConfig.ready`).


@dataclass(frozen=True, slots=True)
class ScenarioKind:
    """One kind of file, told by its `key`.

    `read`: a scenario from decoded JSON; raises `ScenarioError`. `play` and `play_through_services` (with whether to
    keep what was played) give the line to print, whose `steps` are checked by `broken`: a sentence for each step that
    is not what the file expects. They raise `ScenarioError` and `Unplayable`.
    """

    key: str
    read: Callable[[object], Any]
    play: Callable[[Any], dict[str, Any]]
    play_through_services: Callable[[Any, bool], dict[str, Any]]
    broken: Callable[[Any, list[dict[str, Any]]], list[str]]


def _match_through_services(scenario: scenarios.Scenario, keep: bool) -> dict[str, Any]:
    # Imported here: playing in memory needs no database.
    from matches.services.scenario_runner import play_scenario

    return play_scenario(scenario, keep=keep)


OF_A_MATCH = ScenarioKind(
    key="game",
    read=lambda raw: scenarios.read(raw, game_of),
    play=scenarios.play,
    play_through_services=_match_through_services,
    broken=lambda scenario, verdicts: scenarios.broken_expectations(scenario.steps, verdicts),
)

_others: dict[str, ScenarioKind] = {}


def register_scenarios(kind: ScenarioKind) -> None:
    """From now on files with this kind's key are played by it."""
    _others[kind.key] = kind


def kind_of(raw: object) -> ScenarioKind:
    """The kind of a decoded file; that of a match if nothing says otherwise."""
    keys = raw if isinstance(raw, dict) else {}
    return next((kind for key, kind in _others.items() if key in keys), OF_A_MATCH)


# -- verifying -------------------------------------------------------------------------------------------
# What `manage.py verify` compares besides matches, and which exported files it can prove. Other apps register in
# `AppConfig.ready`.


@dataclass(frozen=True, slots=True)
class Subject:
    """Something with a log of its own. `verify` gives what does not agree with it, a sentence each; `hashes` those of
    the log's rows, in their order."""

    public_id: str
    title: str
    verify: Callable[[], list[str]]
    hashes: Callable[[], list[str]]

    def lost(self, heads: Iterable[str]) -> list[str]:
        """Which published heads (or their first digits) the log does not contain any more, a sentence each."""
        rows = self.hashes()
        return [
            f"The log does not contain the head {head}: it was rewritten, or the head belongs to another log."
            for head in heads
            if not any(digest.startswith(head.lower()) for digest in rows)
        ]


Find = Callable[[list[str]], Iterable[Subject]]
Prove = Callable[[Any], list[str]]

_finders: list[Find] = []
_provers: dict[str, Prove] = {}

SHORTEST_HEAD = 16


def register(find: Find, file_format: str, prove: Prove) -> None:
    """From now on verify what `find` gives for these public ids (all, if there are none), and prove files whose
    `format` is this one. `prove` raises `ValueError` with a sentence for a file that it cannot read."""
    if find not in _finders:
        _finders.append(find)
    _provers[file_format] = prove


def subjects(ids: list[str]) -> Iterable[Subject]:
    """What other apps have of these public ids; all of it, if there are none."""
    for find in _finders:
        yield from find(ids)


def prove(raw: dict[str, Any]) -> list[str] | None:
    """What does not agree if the log of a decoded file is played again by the rules; None where its rows do not say
    enough for that. Raises `ValueError` with a sentence."""
    played = _provers.get(raw["format"])
    return None if played is None else played(raw)
