"""The metrics of this process for its operator, in one registry, shown at `/metrics` (genius_site/health.py).

No label has a value that people choose or names a game, a match or a person, so there are few, and they reveal nothing.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

_ACTIONS = Counter(
    "genius_actions", "Players' actions that the site has judged and stored", ["outcome", "way"], registry=REGISTRY
)
_COMMITS = Histogram(
    "genius_commit_seconds",
    "Time from the beginning of a transaction with actions until its commit",
    ["way"],
    buckets=_QUICK,
    registry=REGISTRY,
)
SWEEPS = Histogram("genius_sweep_seconds", "How long a sweep of the deadlines takes", buckets=_QUICK, registry=REGISTRY)
PUSHES = Histogram(
    "genius_push_seconds",
    "Time from a change in what an audience sees until its sockets have the frame",
    buckets=_QUICK,
    registry=REGISTRY,
)
SOCKETS = Gauge("genius_sockets", "Open live pages", registry=REGISTRY)
REQUESTS = Counter("genius_requests", "Answered requests", ["route", "status"], registry=REGISTRY)
REQUEST_SECONDS = Histogram(
    "genius_request_seconds", "Time until a request is answered", ["route"], buckets=_QUICK, registry=REGISTRY
)

# Looked up by label once, because that costs more than counting.
COMMITS_TOGETHER, COMMITS_ALONE = _COMMITS.labels("together"), _COMMITS.labels("alone")
_JUDGED = {
    (accepted, way): _ACTIONS.labels("accepted" if accepted else "refused", way)
    for accepted in (True, False)
    for way in ("together", "alone")
}


def judged(accepted: bool, *, way: str) -> None:
    """Count a judged action. `way`: `together` with others by the group writer, or `alone`."""
    _JUDGED[accepted, way].inc()


# -- metrics that are read from the database when somebody asks ----------------------------------

Read = Callable[[str, datetime], Mapping[str, float]]
"""A function of a database alias and the present instant that returns values by the metrics' names."""

STORED: dict[str, str] = {}
"""Name of each such metric -> its meaning."""

READS: list[Read] = []


def register(meanings: Mapping[str, str], read: Read) -> None:
    """Add metrics of another app, from its `AppConfig.ready`. `read` must be quick, and may raise."""
    STORED.update(meanings)
    if read not in READS:
        READS.append(read)


def age(instant: datetime | None, now: datetime) -> float:
    """Seconds since an instant; 0 for None."""
    return 0.0 if instant is None else max((now - instant).total_seconds(), 0.0)
