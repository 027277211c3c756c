"""The Celery tasks: services that take no arguments and may run late or twice."""

from celery import shared_task

from accounts import mail_queue

send_mail = shared_task(name="accounts.tasks.send_mail")(mail_queue.send_due)
