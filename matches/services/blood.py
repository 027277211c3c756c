"""Blood garnets in a match, where they grow in the same way in every match type.

If a host has switched growth on, each player's balance is multiplied by 1.1 (rounded half-even to four decimals) every
24 hours after the pregame until a host switches it off, even after the match has finished.
"""

from datetime import datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

import structlog
from django.db.models import F

from matches.engine.core import BLOOD_GARNET
from matches.models import Holding, LedgerEntry, Match, Player, Submission, clock
from matches.models.ledger import BLOOD_UNITS
from matches.services.errors import retrying
from matches.services.locking import locked_match
from matches.services.outages import beat
from matches.services.writer import Writer

logger = structlog.get_logger(__name__)

RATE = Decimal("1.1")
EVERY = timedelta(hours=24)
MOST = 10**17
"""No balance grows or is corrected beyond this, in stored units, so that the database can store it: growth that nobody
stops would take 10 blood garnets there in 290 days."""

GROWTH_TOLD = "blood_garnets_switched"


def units_of(amount: Decimal) -> int:
    """An amount with up to four decimals, in stored units (ten-thousandths)."""
    return int((amount * BLOOD_UNITS).to_integral_value(rounding=ROUND_HALF_EVEN))


def grown(units: int) -> int:
    """The balance a day later, in stored units."""
    return min(int((units * RATE).to_integral_value(rounding=ROUND_HALF_EVEN)), MOST)


def post(writer: Writer, row: Submission, player: Player, units: int, reason: str, note: str = "") -> None:
    """Book `units` of blood garnets: the bank gives a positive number and takes a negative one."""
    LedgerEntry.objects.create(
        match=writer.match,
        submission=row,
        giver=player if units < 0 else None,
        receiver=player if units > 0 else None,
        asset=BLOOD_GARNET,
        amount=abs(units),
        reason=reason,
        note=note,
        at=row.received_at,
        match_time=row.match_time,
    )
    holding, _ = Holding.objects.get_or_create(player=player, asset=BLOOD_GARNET, defaults={"amount": 0})
    Holding.objects.filter(pk=holding.pk).update(amount=F("amount") + units)
    writer.touch(players={player.pk})


def next_growth(match: Match, after: datetime) -> datetime | None:
    """The first instant of growth after `after`, a whole number of days after the pregame; None before its end."""
    if match.pregame_ended_at is None:
        return None
    every = EVERY / match.speed
    whole = (after - match.pregame_ended_at) // every
    return match.pregame_ended_at + every * (max(whole, 0) + 1)


@retrying
def grow(match_id: int) -> int:
    """Post every growth of a match that is due, each dated at its own instant, and return how many there were. Raises
    `Busy` if somebody else has the match locked."""
    with locked_match(match_id, wait=False) as writer:
        steps = grow_due(writer)
        writer.save()
        return steps


def grow_due(writer: Writer) -> int:
    """Post what `grow` says, in a locked match that the caller saves. Nothing grows in a cancelled match."""
    match, steps = writer.match, 0
    if match.status == Match.Status.CANCELLED:
        return steps
    while match.blood_garnets and (due := _due(match)) and due <= writer.now:
        _grow_once(writer, due)
        match.blood_grows_at = next_growth(match, due)
        steps += 1
    return steps


def _due(match: Match) -> datetime | None:
    if match.blood_grows_at is None and match.pregame_ended_at is not None:
        match.blood_grows_at = next_growth(match, match.pregame_ended_at)
    return match.blood_grows_at


def _grow_once(writer: Writer, due: datetime) -> None:
    row = writer.record(writer.row({"command": "grow_blood_garnets"}, at=due))
    for holding in Holding.objects.filter(player__match=writer.match, asset=BLOOD_GARNET, amount__gt=0).select_related(
        "player"
    ):
        gain = grown(holding.amount) - holding.amount
        if gain:
            post(writer, row, holding.player, gain, "blood_market")


def _grow_safely(match_id: int) -> int:
    try:
        return grow(match_id)
    except Exception:  # one match at fault must not keep the others from growing
        logger.exception("blood_garnets_failed", match=match_id)
        return 0


def grow_all() -> int:
    """Post the growth that is due in any match, and return how many steps there were."""
    # Worded to use the index `match_growing`, and in two queries, since SQLite would read the whole index for an OR.
    growing = Match.objects.filter(blood_garnets=True, pregame_ended_at__isnull=False)
    ids = growing.exclude(status=Match.Status.CANCELLED).order_by("blood_grows_at").values_list("pk", flat=True)
    due = [*ids.filter(blood_grows_at=None), *ids.filter(blood_grows_at__lte=clock.now())]
    steps = sum(map(_grow_safely, due))
    beat("grow_blood_garnets")
    return steps
