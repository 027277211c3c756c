"""Posts what waits for webhooks of matches, and of what else has some (`desks`): each webhook's own posts in their
order, webhooks beside each other.

A webhook is claimed for a minute, one post goes out without a transaction, and what came of it is noted. If the
process dies in between, another one posts the same again, under the same id. A post that fails holds up those after
it, so that their order stays, and nothing else.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from matches.infra.db_waits import lend_connection
from matches.models import clock
from notices import safe_http
from notices.channels import webhook as webhooks
from notices.channels.base import MOST_ASKED, PAUSES, GaveUp, TryAgain
from notices.match_webhooks import stopping
from notices.match_webhooks.bodies import Message, message_of
from notices.match_webhooks.desks import DESKS, Desk, desk_of
from notices.models import PublicPost, PublicWebhook
from notices.safe_addresses import AddressRefused, NotReached

logger = structlog.get_logger(__name__)

MOST_FAILURES, STOPS_AFTER = 10, timedelta(days=3)
"""A webhook is stopped after so many failures in a row, over so long a time."""

MOST_WAITING = 500
"""A webhook that has fallen further behind is stopped: nobody reads so old news."""

THREADS = 8
CLAIM = timedelta(minutes=1)
RUN_SECONDS, _LOOK_SECONDS = 20.0, 0.25
_BEGIN_SECONDS = 20.0
"""After that a turn is not begun any more: it must end before its claim does."""

Result = TryAgain | GaveUp | None
"""What came of a post; None if it was taken."""

_running = threading.Lock()


@dataclass
class Turn:
    """One webhook's next post. `result` is there once it `is_done`."""

    webhook: PublicWebhook
    post: PublicPost
    message: Message | None
    stops_at: float
    is_done: bool = False
    result: Result = None


def post_due() -> int:
    """Post what is due, for `RUN_SECONDS` or until nothing is; how many posts were tried. In one process one call posts
    at a time."""
    now = clock.now()
    if not any(_due(desk, now).exists() for desk in DESKS) or not _running.acquire(blocking=False):
        return 0
    try:
        with ThreadPoolExecutor(THREADS, thread_name_prefix="match-webhooks") as threads:
            return _run(threads)
    finally:
        _running.release()


def _run(threads: ThreadPoolExecutor) -> int:
    going: dict[Future[None], Turn] = {}
    tried, stops_at = 0, time.monotonic() + RUN_SECONDS
    while True:
        free = THREADS - len(going) if time.monotonic() < stops_at else 0
        for turn in claim(free, [turn.webhook for turn in going.values()]) if free else ():
            # The time of a test holds in the threads as well.
            going[threads.submit(copy_context().run, _go, turn)] = turn
        if not going:
            return tried
        lend_connection()
        done, _ = wait(going, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        for each in done:
            turn = going.pop(each)
            tried += turn.is_done
            note(turn)


def _due(desk: Desk, now: datetime) -> QuerySet[PublicWebhook]:
    is_awake = Q(rests_until=None) | Q(rests_until__lte=now)
    is_free = Q(claimed_until=None) | Q(claimed_until__lte=now)
    waiting = desk.posts._default_manager.filter(webhook=OuterRef("pk"), status=PublicPost.Status.WAITING)
    return desk.webhooks._default_manager.filter(is_awake, is_free, Exists(waiting), stopped_at=None)


def claim(most: int, busy: Sequence[PublicWebhook]) -> list[Turn]:
    """Claim up to so many webhooks for which something waits, other than those that are `busy`."""
    now = clock.now()
    turns = []
    for desk, pk in _longest_waiting(most, busy, now):
        if _due(desk, now).filter(pk=pk).update(claimed_until=now + CLAIM) and (turn := _turn(desk, pk)):
            turns.append(turn)
    return turns


def _longest_waiting(most: int, busy: Sequence[PublicWebhook], now: datetime) -> list[tuple[Desk, int]]:
    """Whoever has waited longest for its turn comes first, so that a few busy ones do not hold up the others."""
    found: list[tuple[datetime | None, Desk, int]] = []
    for desk in DESKS:
        due = _due(desk, now).exclude(pk__in=[each.pk for each in busy if isinstance(each, desk.webhooks)])
        longest = due.order_by(F("last_sent_at").asc(nulls_first=True), "pk")
        found += [(sent, desk, pk) for sent, pk in longest.values_list("last_sent_at", "pk")[:most]]
    found.sort(key=lambda each: (each[0] is not None, each[0] or now))
    return [(desk, pk) for _, desk, pk in found[:most]]


def _turn(desk: Desk, pk: int) -> Turn | None:
    """The next post of a claimed webhook; None if it cannot be put together, which must not keep the others."""
    stops_at = time.monotonic() + _BEGIN_SECONDS
    webhook = desk.webhooks._default_manager.select_related(desk.webhooks.OWNER).filter(pk=pk).first()
    waiting = desk.posts._default_manager.filter(webhook=pk, status=PublicPost.Status.WAITING)
    post = waiting.order_by("pk").first()
    if webhook is None or post is None:  # removed meanwhile
        return None
    try:
        return Turn(webhook, post, message_of(webhook, post, desk.board_of(webhook, post)), stops_at)
    except Exception as error:
        logger.exception("match_post_not_made", webhook=webhook.token)
        failed = TryAgain(f"{type(error).__name__}: it could not be made.")
        note(Turn(webhook, post, None, stops_at, is_done=True, result=failed))
        return None


def _go(turn: Turn) -> None:
    """Post it. There is no database here."""
    if turn.message is not None and time.monotonic() < turn.stops_at:
        turn.result = _send(turn.webhook, turn.message)
        turn.is_done = True


def _send(webhook: PublicWebhook, message: Message) -> Result:
    try:
        answer = safe_http.post(webhook.url, message.body, message.headers)
        webhooks.check(answer, goes_for_good=webhook.form == PublicWebhook.Form.DISCORD)
    except (TryAgain, GaveUp) as result:
        return result
    except NotReached as error:
        return TryAgain(error.message)
    except AddressRefused as error:
        return GaveUp(error.message)
    except Exception as error:
        logger.exception("match_post_failed", webhook=webhook.token)
        return TryAgain(f"{type(error).__name__}: it could not be sent.")
    return None


# -- what came of it -----------------------------------------------------------------------------


@transaction.atomic
def note(turn: Turn) -> None:
    """Note what came of a turn, unless another process has claimed the webhook meanwhile."""
    now = clock.now()
    webhook = desk_of(turn.webhook).webhooks._default_manager.filter(pk=turn.webhook.pk)
    if not webhook.filter(claimed_until=turn.webhook.claimed_until).update(claimed_until=None) or not turn.is_done:
        return
    _note_post(turn.post, turn.result, now)
    webhook.update(**_changes(turn.webhook, turn.result, now))
    if webhook.filter(stopped_at__isnull=False).exists():
        stopping.drop_posts(turn.webhook)
        stopping.tell_hosts(turn.webhook, str(turn.result))


def _note_post(post: PublicPost, result: Result, now: datetime) -> None:
    row = type(post)._default_manager.filter(pk=post.pk, status=PublicPost.Status.WAITING)
    if result is None:
        row.update(status=PublicPost.Status.SENT, sent_at=now, last_error="", attempts=F("attempts") + 1)
        return
    is_over = isinstance(result, GaveUp) or post.attempts >= len(PAUSES)
    status = PublicPost.Status.FAILED if is_over else PublicPost.Status.WAITING
    row.update(status=status, last_error=str(result)[:300], attempts=F("attempts") + 1)


def _changes(webhook: PublicWebhook, result: Result, now: datetime) -> dict[str, object]:
    """How a webhook does after this result."""
    if result is None:
        well = {"failures": 0, "failing_since": None, "rests_until": None, "last_error": "", "last_error_at": None}
        return well | {"last_sent_at": now}
    failures, since = webhook.failures + 1, webhook.failing_since or now
    rest = PAUSES[0]  # a post that is refused says little about the next one
    if isinstance(result, TryAgain):
        rest = max(PAUSES[min(failures, len(PAUSES)) - 1], min(result.after, MOST_ASKED))
    is_gone = isinstance(result, GaveUp) and result.address_is_gone
    is_behind = webhook.posts.filter(status=PublicPost.Status.WAITING).count() > MOST_WAITING
    is_hopeless = failures >= MOST_FAILURES and since <= now - STOPS_AFTER
    return {
        "failures": min(failures, 1000),
        "failing_since": since,
        "last_error": str(result)[:300],
        "last_error_at": now,
        "rests_until": now + rest,
        "stopped_at": now if is_gone or is_behind or is_hopeless else None,
    }
