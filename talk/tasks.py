"""The Celery tasks: services that take no arguments and may run late, twice or not at all."""

from celery import shared_task

from talk import notices

tell_of_mentions = shared_task(name="talk.tasks.tell_of_mentions")(notices.tell_of_mentions)
tell_of_messages = shared_task(name="talk.tasks.tell_of_messages")(notices.tell_of_messages)
tell_of_questions = shared_task(name="talk.tasks.tell_of_questions")(notices.tell_of_questions)
