"""Buying chips for garnets during a match, and hosts' corrections of balances: checks, payments and messages."""

from matches.engine.core import GARNET, MOST, MOST_CORRECTED, TOL, Core, balance
from matches.engine.errors import NOT_ENOUGH_GARNETS, NOT_POSITIVE, Rejected
from matches.engine.polls import promised
from matches.engine.sentences import counted
from matches.engine.step import Turn
from matches.engine.views import Remedy


def can_pay(core: Core, player: str, price: int) -> bool:
    """Whether this player could pay this many garnets now, on credit if the match gives it (credit has a limit too)."""
    return not price or Turn(core, core.time).can_pay(player, GARNET, price)


def affordable(core: Core, player: str, asset: str, price: int) -> int:
    """How many of an asset this player could buy now at `price` garnets each. Nobody can hold more than `MOST`."""
    room = MOST - balance(core.purses, player, asset)
    spendable = balance(core.purses, player, GARNET) + (MOST if core.garnet_credit else 0)
    return min(max(spendable, 0) // price, room) if price else room


def buy_chips(turn: Turn, player: str, asset: str, count: int, price: int) -> None:
    """Buy chips (`asset`) for `price` garnets each, privately. Raises `Rejected`: `not_positive`,
    `not_enough_garnets`.
    """
    if count < 1:
        raise Rejected(NOT_POSITIVE, "Buy a positive whole number of chips.", field="count")
    most = affordable(turn.core(), player, asset, price)
    if count > most:
        raise Rejected(
            NOT_ENOUGH_GARNETS,
            f"Chips cost {counted(price, 'garnet')} each and you have {turn.balance(player, GARNET)}: "
            f"you can buy {f'at most {most}' if most else 'none'}.",
            field="count",
        )
    turn.pay(player, GARNET, count * price, "chips_bought")
    turn.earn(player, asset, count, "chips_bought")
    turn.tell(player, "chips_bought", count=count, garnets=count * price)


def chips_missing(short: int, price: int, most: int) -> Remedy | None:
    """The purchase of the `short` chips that an action lacks, at `price` garnets each; None if the player can buy only
    fewer (`most`)."""
    if not 0 < short <= most:
        return None
    return Remedy("buy_chips", "count", short, f"Buy {counted(short, 'chip')} for {counted(short * price, 'garnet')}")


# -- corrections -----------------------------------------------------------------------------------

NOT_ENOUGH = "not_enough"


def book_correction(turn: Turn, player: str, asset: str, amount: int, *, held: int) -> None:
    """Give `amount` from the bank, or take it back if it is negative.

    `held` is how much of the balance the player has committed and not yet paid; this function adds tokens that the
    player must give away. Raises `Rejected` (`not_enough`) if it would take more than is free, or if the balance would
    get too far from zero.
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
