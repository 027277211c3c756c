"""The Celery app. Its workers are separate processes with Redis, or threads inside `manage.py serve`."""

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
    """Serve a separate worker's metrics on a port of its own; an embedded worker's are among the server's."""
    from django.conf import settings

    if settings.METRICS_PORT and not app.conf.broker_url.startswith("memory://"):
        from genius_site import health

        health.serve(settings.METRICS_PORT)


# -- beat ------------------------------------------------------------------------------------------------
# Schedulers for beat. Celery's wakes 10 ms before a task is due and polls until it is, which with our ticks costs a
# fortieth of a processor.


class _AtTheTime:
    def adjust(self, n: float, drift: float = 0.0) -> float:
        """Return the exact seconds until a task is due."""
        return n


class InMemory(_AtTheTime, Scheduler):
    """The scheduler for beat as a thread of the server's process: it writes no file."""


class InFile(_AtTheTime, PersistentScheduler):
    """The scheduler for beat as a process of its own."""
