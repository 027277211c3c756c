"""How far somebody has read."""

from __future__ import annotations

from functools import partial
from typing import Any

import structlog
from django.db import IntegrityError, OperationalError, transaction

from talk.models import Seen
from talk.services.signals import channel_read

logger = structlog.get_logger(__name__)


def mark_seen(channel_id: int, user: Any, last: int) -> None:
    """Note that a person has read a channel up to this message; never back. Where the database is busy it is left: the
    next look notes it."""
    try:
        with transaction.atomic():
            seen = Seen.objects.filter(channel_id=channel_id, user_id=user.pk)
            if not seen.filter(last__lt=last).update(last=last) and not seen.exists():
                Seen.objects.create(channel_id=channel_id, user_id=user.pk, last=last)
    except IntegrityError:  # another page of the same person was faster
        Seen.objects.filter(channel_id=channel_id, user_id=user.pk, last__lt=last).update(last=last)
    except OperationalError as error:
        logger.warning("talk_not_marked_seen", error=repr(error))
        return
    transaction.on_commit(partial(channel_read.send_robust, Seen, channel_id=channel_id, user=user), robust=True)
