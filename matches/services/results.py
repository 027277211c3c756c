"""What only the whole log of a finished match tells: which draws were made. It is replayed once, and that is stored."""

from contextlib import suppress
from datetime import timedelta
from functools import lru_cache

import structlog
from django.db import OperationalError

from matches.infra.db_waits import hurried
from matches.models import Match, Result, clock
from matches.models.match import of_known_rules
from matches.services.draws import Drawn, Recorder, public_draws
from matches.services.replay import replay

logger = structlog.get_logger(__name__)

_LOOKS_BACK = timedelta(days=30)
_AT_ONCE = 20


def draws_of(match: Match) -> tuple[Drawn, ...]:
    """Every public draw of a match that is over, in the order in which they were made. They are stored here if they
    have not been: the match ended a moment ago, or before results were stored."""
    if not match.is_over or not match.state:
        return ()
    stored = Result.objects.filter(match=match).first()
    return _store(match) if stored is None else tuple(Drawn(*drawn) for drawn in stored.draws)


def store_new() -> int:
    """Store the results of matches that were finished lately; how many there were. Those of other matches are stored
    when they are first looked at."""
    lately = Match.objects.filter(of_known_rules(), status=Match.Status.FINISHED, result=None)
    found = list(lately.filter(finished_at__gt=clock.now() - _LOOKS_BACK).order_by("-finished_at")[:_AT_ONCE])
    for match in found:
        _store(match)
    return len(found)


def _store(match: Match) -> tuple[Drawn, ...]:
    draws = _replayed(match.pk, match.log_head)
    if draws is None:
        return ()
    with suppress(OperationalError), hurried():  # somebody is writing: the next one who looks stores it
        Result.objects.get_or_create(match=match, defaults={"draws": [list(drawn) for drawn in draws]})
    return draws


@lru_cache(maxsize=64)
def _replayed(match_id: int, _: str) -> tuple[Drawn, ...] | None:
    """Public draws by the log with that head. None if it cannot be played again: `manage.py verify` says what is wrong,
    and the result itself must be there all the same."""
    match = Match.objects.get(pk=match_id)
    recorder = Recorder(match.chance)
    try:
        state, _steps = replay(match, recorder)
    except Exception:
        logger.exception("replay_failed", match=match_id)
        return None
    return public_draws(recorder.drawn, state)
