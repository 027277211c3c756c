"""What moves between the season's accounts, its matches and the bank."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from matches.engine.ledger import BLOOD_GARNET, GARNET, PRIORITY, Posting, apply_postings
from matches.engine.match_time import DAY
from seasons.engine.settings import LOST, TO_WINNER
from seasons.engine.state import Brought, Growth, SeasonMatch
from seasons.engine.turn import MOST_BLOOD, Turn


def bring(turn: Turn, key: str, players: Iterable[str]) -> dict[str, Brought]:
    """Move everybody's whole garnets and priority into a match; what each brought."""
    brought = {}
    for handle in players:
        amounts = Brought(turn.balance(handle, GARNET), turn.balance(handle, PRIORITY))
        turn.move(handle, None, GARNET, amounts.garnet, "brought", match=key)
        turn.move(handle, None, PRIORITY, amounts.priority, "brought", match=key)
        brought[handle] = amounts
    return brought


def give_back(turn: Turn, match: SeasonMatch, final: dict[str, Brought], reason: str) -> None:
    """Move each player's amounts from a match back to their account."""
    for handle in match.brought:
        amounts = final.get(handle, Brought())
        turn.move(None, handle, GARNET, amounts.garnet, reason, match=match.key)
        turn.move(None, handle, PRIORITY, amounts.priority, reason, match=match.key)


def publish(turn: Turn) -> None:
    """From now on everybody may know the balances as they are; of those in an open match, what they brought there."""
    inside = [
        Posting(None, handle, asset, amount, "brought")
        for match in turn.state.matches
        for handle, amounts in match.brought.items()
        for asset, amount in ((GARNET, amounts.garnet), (PRIORITY, amounts.priority))
    ]
    turn.change(published=apply_postings(turn.state.purses, inside))


def forfeit(turn: Turn, loser: str, winner: str | None) -> None:
    """What becomes of the garnets of somebody who goes out; a debt stays theirs. Where there was no Death Match,
    nobody has won them, and they are lost."""
    rule = turn.state.settings.loser_garnets
    if rule not in (LOST, TO_WINNER):
        return
    receiver = winner if rule == TO_WINNER else None
    for asset in (GARNET, BLOOD_GARNET):
        amount = max(turn.balance(loser, asset), 0)
        turn.move(loser, receiver, asset, amount, "taken_over" if receiver else "lost")


def grown(units: int) -> int:
    """1.1 times an amount of blood garnets in units, half to even."""
    whole, rest = divmod(units * 11, 10)
    return min(whole + (rest > 5 or (rest == 5 and whole % 2 == 1)), MOST_BLOOD)


def grow(turn: Turn, growth: Growth) -> None:
    """Let every positive balance of blood garnets grow once, and note when they grow next."""
    for member in turn.state.members:
        units = turn.balance(member.handle, BLOOD_GARNET)
        if units > 0:
            turn.move(None, member.handle, BLOOD_GARNET, max(grown(units) - units, 0), "growth")
    turn.change(growth=msgspec.structs.replace(growth, next=turn.now + DAY))
