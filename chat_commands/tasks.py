"""The Celery tasks: services that take no arguments and may run late or twice."""

from celery import shared_task

from chat_commands import handlers

answer = shared_task(name="chat_commands.tasks.answer")(handlers.answer_due)
