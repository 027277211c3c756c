"""The Celery tasks: services that take no arguments and may run late or twice."""

from celery import shared_task

from practice import services

clear = shared_task(name="practice.tasks.clear")(services.clear)
