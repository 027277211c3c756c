"""Puts routine notices for one address into one message."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from notices.models import Delivery


def bundled(deliveries: Iterable[Delivery]) -> list[list[Delivery]]:
    """Deliveries that go out together: those of a digest by address, every other one alone."""
    alone: list[list[Delivery]] = []
    together: defaultdict[int, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        if delivery.in_digest:
            together[delivery.address_id].append(delivery)
        else:
            alone.append([delivery])
    return [*alone, *together.values()]
