"""What people are told elsewhere, at the end: each row of the outbox has led to one notice a person, and that to one
mail."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lab.simulation.failures import need
from lab.simulation.prepared import OF_A_MATCH
from matches.models import OutboxRow
from notices.services.from_log import notices_of

if TYPE_CHECKING:
    from lab.simulation.world import World

_TOLD = """
    SELECT DISTINCT s.id, s.match_id FROM matches_announcement a JOIN matches_submission s ON s.id = a.submission_id
    WHERE s.id > ?
"""


def check(world: World) -> None:
    """Everything that was told in this run, against what was stored and mailed."""
    ask = world.seats.ask
    need(not ask("SELECT id FROM matches_outboxrow"), "the outbox is emptied")
    told = ask(_TOLD, world.began_at_row)
    with world.inside(world.worker):
        expected = notices_of([OutboxRow(match_id=match, submission_id=row) for row, match in told]) if told else []
    stored = Counter(ask("SELECT user_id, source FROM notices_notice"))
    for notice in expected:
        need(stored[notice.user_id, notice.source] == 1, "one notice a person", (notice.user_id, notice.source))
    _check_mail(world)
    _check_webhooks(world)
    _check_reminders(world)


def _check_mail(world: World) -> None:
    rows = world.seats.ask("SELECT status FROM notices_delivery WHERE id > ?", world.began_at_delivery)
    states = Counter(status for (status,) in rows)
    need(states["failed"] == 0, "no delivery fails", states)
    twice = [letter for letter, count in world.post.sent.items() if count > 1]
    need(not twice or world.failed_while_sending, "one mail a notice", twice)
    need(world.post.sent or world.receivers.taken or not states["sent"], "what is sent has arrived", states)


def _check_webhooks(world: World) -> None:
    """Whoever has said that they have a post do not get it again, and each match's posts come in their order."""
    twice = [post for post, count in world.receivers.acknowledged.items() if count > 1]
    need(not twice or world.failed_while_sending, "one post a notice", twice)
    posts = world.seats.ask("SELECT event_id FROM notices_matchpost WHERE status = 'sent' ORDER BY id")
    taken = list(world.receivers.taken.get(OF_A_MATCH, ()))
    sent = [event for (event,) in posts]
    need(sent == taken[: len(sent)], "posts come in their order", (sent, taken))


def _check_reminders(world: World) -> None:
    """Nobody is reminded of what has passed, and nothing waits that is due."""
    late = world.seats.ask('SELECT id, at, "by" FROM notices_notice WHERE event = \'deadline_near\' AND "by" <= at')
    need(not late, "reminders come before the deadline", late)
    due = world.seats.ask(
        "SELECT id, due_at FROM notices_reminder WHERE due_at <= ?", f"{world.wall:%Y-%m-%d %H:%M:%S}"
    )
    need(not due, "every reminder that is due is looked at", due)
