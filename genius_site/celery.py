"""The Celery app: the same tasks and schedule in three processes on Redis and in threads inside `manage.py serve`."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")

app = Celery("genius")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def refuse_memory_broker(**_: Any) -> None:
    """A worker of its own on the in-memory broker would wait for ever: that broker ends at its process's edge."""
    if app.conf.broker_url.startswith("memory://"):
        raise SystemExit(
            "genius: a separate worker needs REDIS_URL; without it `manage.py serve` runs the worker inside"
        )
