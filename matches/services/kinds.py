"""What `manage.py play` and `manage.py verify` can handle besides matches; other apps register it here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from matches.engine import scenario as scenarios
from matches.games.registry import game_of
from matches.models import Match
from matches.models.match import Logged
from matches.services.replay import verify, verify_live

# -- scenario kinds --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScenarioKind:
    """One kind of scenario file, recognised by its `key`.

    `read` makes a scenario from decoded JSON; raises `ScenarioError`. `play` and `play_through_services` (with whether
    to keep what was played) return the JSON to print; they raise `ScenarioError` and `Unplayable`. `broken` takes the
    scenario and the printed `steps`, and returns a sentence for each step that is not what the file expects.
    """

    key: str
    read: Callable[[object], Any]
    play: Callable[[Any], dict[str, Any]]
    play_through_services: Callable[[Any, bool], dict[str, Any]]
    broken: Callable[[Any, list[dict[str, Any]]], list[str]]


def _match_through_services(scenario: scenarios.Scenario, keep: bool) -> dict[str, Any]:
    # Imported here, because playing in memory needs no database.
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
    """Register a kind of scenario, from `AppConfig.ready`."""
    _others[kind.key] = kind


def kind_of(raw: object) -> ScenarioKind:
    """The kind of a decoded file; a match's unless it has the key of another kind."""
    keys = raw if isinstance(raw, dict) else {}
    return next((kind for key, kind in _others.items() if key in keys), OF_A_MATCH)


# -- verifying -------------------------------------------------------------------------------------------


Verify = Callable[[Any], list[str]]
"""A function that returns a sentence for each difference between something with a log, such as a match, and its log."""

Prove = Callable[[Any], list[str]]
"""The same for a decoded exported file. Raises `ValueError` with a sentence for a file that it cannot read."""

_verified: dict[type[Logged], Verify] = {Match: verify}
_provers: dict[str, Prove] = {}

SHORTEST_HEAD = 16


def register(model: type[Logged], verify: Verify, file_format: str, prove: Prove) -> None:
    """Register how to verify the rows of a model, and how to prove exported files of a `format`, from
    `AppConfig.ready`."""
    _verified[model], _provers[file_format] = verify, prove


def verified(ids: list[str]) -> Iterator[tuple[Logged, list[str]]]:
    """Verify everything with these public ids, or everything if there are none. Yields each with its differences."""
    for model, check in _verified.items():
        rows = model._default_manager.order_by("pk")
        for owner in (rows.filter(public_id__in=ids) if ids else rows).iterator():
            yield owner, verify_live(owner, check)


def lost(owner: Any, heads: Iterable[str]) -> list[str]:
    """A sentence for each published fingerprint (or its first digits) that the log no longer contains."""
    rows = list(owner.log.values_list("hash", flat=True)) if heads else []
    return [
        f"The log does not contain the fingerprint {head}: somebody rewrote it, or you have another log's fingerprint."
        for head in heads
        if not any(digest.startswith(head.lower()) for digest in rows)
    ]


def prove(raw: dict[str, Any]) -> list[str] | None:
    """Play the log of a decoded file again, and return a sentence for each difference; None if such files do not
    contain enough for that. Raises `ValueError` with a sentence."""
    played = _provers.get(raw["format"])
    return None if played is None else played(raw)
