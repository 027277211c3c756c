"""The Celery app. It runs as separate processes with Redis, or as threads inside `manage.py serve`."""

import os
from typing import Any

from celery import Celery
from celery.beat import PersistentScheduler, Scheduler
from celery.signals import celeryd_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")

app = Celery("genius")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["genius_site"])


@celeryd_init.connect
def refuse_memory_broker(**_: Any) -> None:
    """Refuse a separate worker on the in-memory broker: it would never receive a task from another process."""
    if app.conf.broker_url.startswith("memory://"):
        raise SystemExit(
            "genius: a separate worker needs REDIS_URL; without it `manage.py serve` runs the worker inside"
        )


@worker_ready.connect
def serve_metrics(**_: Any) -> None:
    """A worker of its own tells Prometheus of itself, on a port of its own; as a thread of the server it is heard of
    there."""
    from django.conf import settings

    if settings.METRICS_PORT and not app.conf.broker_url.startswith("memory://"):
        from genius_site import health

        health.serve(settings.METRICS_PORT)


# -- beat ------------------------------------------------------------------------------------------------
# When beat wakes. Celery's own wakes 10 ms before a task is due and asks again and again until it is. With our ticks,
# a fortieth of a processor goes into that.


class _AtTheTime:
    def adjust(self, n: float, drift: float = 0.0) -> float:
        """The seconds until a task is due, to the point."""
        return n


class InMemory(_AtTheTime, Scheduler):
    """For beat as a thread of the server's process: it writes no file."""


class InFile(_AtTheTime, PersistentScheduler):
    """For beat as a process of its own."""
