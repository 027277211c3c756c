"""Ledgers: what somebody has is the sum of their entries, at every prefix not below zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.simulation.failures import need

if TYPE_CHECKING:
    from lab.simulation.world import World

_WRONG = """
    SELECT h.player_id, h.asset, h.amount, h.on_credit,
        COALESCE((SELECT SUM(e.amount) FROM matches_ledgerentry e
                  WHERE e.receiver_id = h.player_id AND e.asset = h.asset), 0)
        - COALESCE((SELECT SUM(e.amount) FROM matches_ledgerentry e
                    WHERE e.giver_id = h.player_id AND e.asset = h.asset), 0) AS summed
    FROM matches_holding h WHERE h.amount != summed OR (h.amount < 0 AND NOT h.on_credit)
"""
_WITHOUT = """
    SELECT e.id FROM matches_ledgerentry e WHERE e.receiver_id IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM matches_holding h WHERE h.player_id = e.receiver_id AND h.asset = e.asset)
"""
_HEADS = """
    SELECT m.id FROM matches_match m WHERE m.log_count != (SELECT COUNT(*) FROM matches_submission s
        WHERE s.match_id = m.id)
    OR m.log_head != COALESCE((SELECT s.hash FROM matches_submission s
        WHERE s.match_id = m.id AND s.number = m.log_count), '')
"""


def check(world: World) -> None:
    """Holdings against entries, and heads of logs against their last rows."""
    ask = world.seats.ask
    need(not (found := ask(_WRONG)), "a holding is the sum of its entries", found)
    need(not (found := ask(_WITHOUT)), "who gets something has it", found)
    need(not (found := ask(_HEADS)), "the head of a log is its last row", found)
