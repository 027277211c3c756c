"""Prometheus metrics: those read from the database, and those of this process's requests."""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from time import monotonic, perf_counter
from typing import Any

import structlog
from django.db.models import Min
from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from genius_site.env import program_version
from matches.infra import db_waits, metrics
from matches.models import Match, OutboxRow, clock
from matches.models.match import of_known_rules
from matches.services.outages import SWEEP, last_beat

# -- metrics read from the database when Prometheus asks: every process reports the same -----------------

logger = structlog.get_logger(__name__)

KEPT_SECONDS = 5.0

Values = dict[str, float]


def _sweep(alias: str, now: datetime) -> Values:
    beat = last_beat(SWEEP, using=alias)
    sound = Match.objects.using(alias).filter(of_known_rules(), failures__lt=Match.MOST_FAILURES)
    due = sound.filter(next_deadline_at__lte=now).aggregate(first=Min("next_deadline_at"))["first"]
    aside = Match.objects.using(alias).filter(failures__gte=Match.MOST_FAILURES, status=Match.Status.OPEN).count()
    return {
        "genius_sweep_age_seconds": float("nan") if beat is None else metrics.age(beat, now),
        "genius_sweep_delay_seconds": metrics.age(due, now),
        "genius_matches_set_aside": aside,
    }


def _outbox(alias: str, now: datetime) -> Values:
    rows = OutboxRow.objects.using(alias).order_by()
    oldest = rows.order_by("pk").values_list("submission__received_at", flat=True).first()
    return {"genius_outbox_rows": rows.count(), "genius_outbox_age_seconds": metrics.age(oldest, now)}


_MATCHES = {
    "genius_sweep_age_seconds": "Time since the last sweep of the deadlines ended; NaN if there was none",
    "genius_sweep_delay_seconds": "How long the most overdue deadline has been waiting; 0 if none is due",
    "genius_matches_set_aside": "Running matches that failed three times and wait for their hosts",
}
_OUTBOX = {
    "genius_outbox_rows": "Log rows with announcements that have not been passed on yet",
    "genius_outbox_age_seconds": "How old the oldest row is whose announcements have not been passed on",
}
_OWN = {
    "genius_database_up": "Whether the database answered when these values were read",
    "genius_clock_skew_seconds": "How far this process's clock is ahead of the database's",
}
metrics.register(_MATCHES, _sweep)
metrics.register(_OUTBOX, _outbox)


def meanings() -> dict[str, str]:
    """Return every metric that is read from the database, and what it means."""
    return _OWN | metrics.STORED


class Stored(Collector):
    """Collector of these metrics; reads at most every few seconds, however many ask."""

    def __init__(self) -> None:
        self._found: Values = {}
        self._found_at = float("-inf")

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics. Those that could not be read are missing, and `genius_database_up` is 0."""
        if monotonic() - self._found_at > KEPT_SECONDS:
            self._found, self._found_at = self._read(), monotonic()
        for name, value in self._found.items():
            yield GaugeMetricFamily(name, meanings()[name], value=value)
        built = GaugeMetricFamily("genius_build_info", "Which version of the program is running", labels=["version"])
        built.add_metric([program_version()], 1)
        yield built

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Yield only names, so that registering queries no database."""
        for name, words in meanings().items():
            yield GaugeMetricFamily(name, words)

    def forget(self) -> None:
        """Read anew on the next request."""
        self._found_at = float("-inf")

    def _read(self) -> Values:
        found: Values = {"genius_database_up": 0.0}
        try:
            with db_waits.alone() as alias:
                now = clock.now()
                for read in metrics.READS:
                    found |= read(alias, now)
                found["genius_database_up"] = 1.0
                found["genius_clock_skew_seconds"] = clock.skew().total_seconds()
        except Exception as error:
            logger.error("metrics_not_read", error=repr(error))
        return found


# -- counts and times of this process's requests ---------------------------------------------------------

ROUTES = {
    "accounts": "account",
    "admin": "admin",
    "api": "api",
    "profile": "account",
    "static": "static",
}
"""First part of a path -> its class; all others are pages. Labels never contain values that people choose."""


def route_of(path: str) -> str:
    """Return the class under which a path is counted."""
    if path.startswith("/api/v1/matches/") and path.endswith("/actions/"):
        return "action"
    return ROUTES.get(path[1:].partition("/")[0], "page")


@cache
def _metrics_of(route: str, status: str) -> tuple[Counter, Histogram]:
    """Cached with their labels, as finding those costs more than counting."""
    return metrics.REQUESTS.labels(route, status), metrics.REQUEST_SECONDS.labels(route)


class Counted:
    """ASGI middleware that counts each request when its answer has been sent."""

    def __init__(self, site: Any) -> None:
        self._site = site

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        start, status = perf_counter(), "none"

        async def sent(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        route = route_of(scope["path"])
        try:
            await self._site(scope, receive, sent)
        finally:
            count, seconds = _metrics_of(route, status)
            count.inc()
            seconds.observe(perf_counter() - start)
