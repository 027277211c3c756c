"""The Django project: settings, URLs, ASGI, Celery, logs. Imports the Celery app, so that `shared_task` finds it."""

from genius_site.celery import app as celery_app

__all__ = ["celery_app"]
