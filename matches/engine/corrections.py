"""A host's corrections of balances: what may be given and taken."""

from __future__ import annotations

from matches.engine.errors import Rejected
from matches.engine.gifts import promised
from matches.engine.ledger import MOST_CORRECTED, TOL
from matches.engine.step import Turn

NOT_ENOUGH = "not_enough"


def book_correction(turn: Turn, player: str, asset: str, amount: int, *, held: int) -> None:
    """Give `amount` from the bank, or take it where it is below zero.

    `held` is what of it the player has committed and not yet paid; tokens that are to be given away are counted here.
    Raises `Rejected` (`not_enough`) for more than is free, and for a balance too far from zero.
    """
    if asset == TOL:
        held += promised(turn.core(), player)
    before = turn.balance(player, asset)
    if abs(before + amount) > max(MOST_CORRECTED, abs(before)):
        message = f"No correction can take a balance further than {MOST_CORRECTED} from zero."
        raise Rejected(NOT_ENOUGH, message, field="amount")
    if amount >= 0:
        turn.earn(player, asset, amount, "correction")
        return
    free = before - held
    on_credit = not held and turn.can_pay(player, asset, -amount)
    if free < -amount and not on_credit:
        # How much there is, and how much of it is in play or sealed, may be the player's own to know.
        raise Rejected(NOT_ENOUGH, f"{player} does not have that much free.", field="amount")
    turn.pay(player, asset, -amount, "correction")
