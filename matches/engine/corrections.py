"""A host's corrections of balances: how much may be given or taken."""

from __future__ import annotations

from matches.engine.errors import Rejected
from matches.engine.gifts import promised
from matches.engine.ledger import MOST_CORRECTED, TOL
from matches.engine.step import Turn

NOT_ENOUGH = "not_enough"


def book_correction(turn: Turn, player: str, asset: str, amount: int, *, held: int) -> None:
    """Give `amount` from the bank, or take it back if it is negative.

    `held` is how much of the balance the player has committed and not yet paid; tokens that must be given away are
    added here. Raises `Rejected` (`not_enough`) if more is taken than is free, or if the balance gets too large.
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
        # The message gives no numbers: balances and commitments may be known to the player alone.
        raise Rejected(NOT_ENOUGH, f"{player} does not have that much free.", field="amount")
    turn.pay(player, asset, -amount, "correction")
