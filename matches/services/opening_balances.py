"""What players bring into a match that stands alone: where it differs, everybody is told before the start.

In a season nobody types it: players bring what their accounts have.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from matches.engine.ledger import BLOOD_GARNET, GARNET, PRIORITY
from matches.engine.step import EVERYONE
from matches.models import Match, Submission
from matches.services import belonging
from matches.services.writer import Writer

FIELDS = {"garnets": GARNET, "priority": PRIORITY, "blood_garnets": BLOOD_GARNET}
"""The fields of a player that are opening balances, each with its asset."""


def tell_unequal(writer: Writer, entry: Submission, *, changed: bool = False) -> None:
    """Announce which opening balances of an announced match differ, who has set them, and how much of what everybody
    may know; nothing where that was told already and nobody has `changed` a balance since. The match belongs to nothing
    else."""
    match = writer.match
    if belonging.group_of(match) is not None:
        return
    players = list(match.players.order_by("position", "pk"))
    # Whoever is still to join brings nothing.
    coming = {Decimal()} if match.joining in Match.OPEN_TO_ALL and len(players) < match.places else set()
    differing = {
        asset: {each.handle: _shown(getattr(each, field)) for each in players}
        for field, asset in FIELDS.items()
        if len({Decimal(getattr(each, field)) for each in players} | coming) > 1
    }
    hosts = sorted(_who_typed(writer)) if differing else []
    if not hosts:
        return
    public = match.rules.public_assets
    data: dict[str, Any] = {
        "hosts": hosts,
        "amounts": {asset: amounts for asset, amounts in differing.items() if asset in public},
        "private": [asset for asset in differing if asset not in public],
    }
    told = match.announcements.filter(kind="opening_balances_differ").order_by("-pk").first()
    if changed or told is None or told.data != data:
        writer.announce(entry, EVERYONE, "opening_balances_differ", **data)


def _shown(amount: Decimal | int) -> str:
    return format(Decimal(amount).normalize(), "f")


def _who_typed(writer: Writer) -> set[str]:
    """The usernames of hosts who gave players other opening balances than 0."""
    found = set()
    rows = writer.match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"players"')
    for actor, payload in rows.values_list("actor", "payload"):
        said = json.loads(payload)
        given = [each.get(field) for each in said["added"] for field in FIELDS]
        given += [after for each in said["changed"] for field in FIELDS for after in each["changes"].get(field, ())]
        if any(Decimal(amount or 0) for amount in given):
            found.add(actor.removeprefix("host:"))
    return found
