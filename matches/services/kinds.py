"""The kinds of scenario files and exports that the site can play and prove; apps register theirs here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from matches.engine import scenario as scenarios
from matches.games.registry import game_of
from matches.models import Match
from matches.models.match import Logged
from matches.services.replay import verify, verify_live

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


Verify = Callable[[Any], list[str]]
"""What does not agree with the log of a match, or of what else has one, a sentence each."""

Prove = Callable[[Any], list[str]]

_verified: dict[type[Logged], Verify] = {Match: verify}
_provers: dict[str, Prove] = {}

SHORTEST_HEAD = 16


def register(model: type[Logged], verify: Verify, file_format: str, prove: Prove) -> None:
    """From now on verify the rows of this model, and prove files whose `format` is this one. `prove` raises
    `ValueError` with a sentence for a file that it cannot read."""
    _verified[model], _provers[file_format] = verify, prove


def verified(ids: list[str]) -> Iterator[tuple[Logged, list[str]]]:
    """Everything of these public ids (all, if there are none), with what does not agree with its log."""
    for model, check in _verified.items():
        rows = model._default_manager.order_by("pk")
        for owner in (rows.filter(public_id__in=ids) if ids else rows).iterator():
            yield owner, verify_live(owner, check)


def lost(owner: Any, heads: Iterable[str]) -> list[str]:
    """Which published heads (or their first digits) the log does not contain any more, a sentence each."""
    rows = list(owner.log.values_list("hash", flat=True)) if heads else []
    return [
        f"The log does not contain the head {head}: it was rewritten, or the head belongs to another log."
        for head in heads
        if not any(digest.startswith(head.lower()) for digest in rows)
    ]


def prove(raw: dict[str, Any]) -> list[str] | None:
    """What does not agree if the log of a decoded file is played again by the rules; None where its rows do not say
    enough for that. Raises `ValueError` with a sentence."""
    played = _provers.get(raw["format"])
    return None if played is None else played(raw)
