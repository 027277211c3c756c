"""Commands of hosts that correct balances, switch the growth of blood garnets, or act inside the rules. Each is one
transaction.

All raise `CommandRefused` with a sentence if the command cannot be carried out now, `NotAHost` if the person does not
host the match, and `AlreadyDone` for a repeated `key`.
"""

from typing import Any

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY, TOL
from matches.engine.errors import Rejected
from matches.engine.purchases import NOT_ENOUGH
from matches.engine.step import EVERYONE, to_player
from matches.models import Match, Player, Submission
from matches.models.ledger import shown_amount
from matches.services import belonging, blood
from matches.services.actions import read, refuse_unless_open
from matches.services.commands import AlreadyDone, command, command_row, need_own, need_reason, need_status
from matches.services.errors import CommandRefused, as_rule_failure, retrying
from matches.services.writer import Writer

NO_AMOUNT = "Enter how much to give, or a negative number to take some away."


@retrying
def correct_balance(
    match: Match, host: Any, player: Player, asset: str, amount: int, reason: str, *, key: str = ""
) -> None:
    """Book a correction of `amount` stored units: the bank gives a positive amount and takes a negative one. The player
    sees the reason.

    The log also records what the rules refuse, because how much cannot be taken reveals something about sealed bids."""
    need_own(match, player)
    with command(match, host, key=key) as writer:
        if writer.state is None and writer.match.status == Match.Status.CANCELLED:
            raise CommandRefused("The match was cancelled before it began, so there is no balance to correct.")
        if writer.state is None:
            raise CommandRefused("Before the match opens, edit the opening balances instead.")
        reason = need_reason(reason)
        if not amount:
            raise CommandRefused(NO_AMOUNT, field="amount")
        data = {"player": player.handle, "asset": asset, "amount": amount, "reason": reason}
        refusal = book(writer, command_row(writer, host, "correct", key=key, **data), player, asset, amount, reason)
    if refusal is not None:
        raise CommandRefused(refusal.message, field="amount") from refusal


def book(writer: Writer, entry: Submission, player: Player, asset: str, amount: int, reason: str) -> Rejected | None:
    """Book a correction inside a host's command, which stores the match, and tell the player. A refusal of the rules is
    recorded and returned. Raises `CommandRefused` if nothing can be corrected."""
    if (group := belonging.group_of(writer.match)) and (why_not := group.why_not_correct()):
        raise CommandRefused(why_not)
    if asset not in correctable_assets(writer.match):
        raise CommandRefused(f"This match has no asset {asset}.")
    if asset == BLOOD_GARNET:
        refusal = _correct_blood(writer, entry, player, amount, reason)
    else:
        refusal = _correct(writer, entry, player, asset, amount, reason)
    if refusal is None:
        writer.announce(
            entry,
            to_player(player.handle),
            "balance_corrected",
            asset=asset,
            player=player.handle,
            amount=str(shown_amount(asset, amount)),
            reason=reason,
        )
    return refusal


def correctable_assets(match: Match) -> tuple[str, ...]:
    """The assets that a correction may move now; after the end only those that players carry out of the match."""
    series = (GARNET, PRIORITY, BLOOD_GARNET)
    if match.is_over:
        return series
    return (*series, TOL, *match.rules.own_assets(match.rules.read_config(match.config)))


def _correct(
    writer: Writer, entry: Submission, player: Player, asset: str, amount: int, reason: str
) -> Rejected | None:
    """Record a correction, or else its refusal, which is returned. A refusal is recorded without its key, so that hosts
    can try again."""
    try:
        with as_rule_failure():
            step = writer.game.correct(writer.state, player.handle, asset, amount, writer.time)
    except Rejected as rejection:
        return _refused(writer, entry, rejection)
    writer.record(entry, step, note=reason[:300])
    return None


def _refused(writer: Writer, entry: Submission, rejection: Rejected) -> Rejected:
    entry.accepted, entry.code, entry.message, entry.key = False, rejection.code, rejection.message, ""
    writer.record(entry)
    return rejection


def _correct_blood(writer: Writer, entry: Submission, player: Player, units: int, reason: str) -> Rejected | None:
    held = player.holdings.filter(asset=BLOOD_GARNET).values_list("amount", flat=True).first() or 0
    if held + units < 0:
        return _refused(writer, entry, Rejected(NOT_ENOUGH, f"{player.handle} does not have that much."))
    if held + units > blood.MOST:
        return _refused(writer, entry, Rejected(NOT_ENOUGH, f"{player.handle} would have too many blood garnets."))
    writer.record(entry)
    blood.post(writer, entry, player, units, "correction", note=reason[:300])
    return None


@retrying
def switch_blood_garnets(match: Match, host: Any, on: bool, *, key: str = "") -> None:
    """Let the players' blood garnets grow from the next daily moment on, or stop their growth. Raises `AlreadyDone` if
    that is so already."""
    with command(match, host, key=key) as writer:
        row = writer.match
        if row.status == Match.Status.CANCELLED:
            raise CommandRefused("Blood garnets do not grow in a cancelled match.")
        if on and (group := belonging.group_of(row)) and (why_not := group.why_no_growth()):
            raise CommandRefused(why_not)
        if row.blood_garnets == on:
            raise AlreadyDone(f"Blood garnets {'already grow' if on else 'do not grow'} in this match.")
        row.blood_garnets = on
        row.blood_grows_at = blood.next_growth(row, writer.now) if on else None
        entry = writer.record(command_row(writer, host, "blood_garnets", on=on, key=key))
        if row.has_begun:  # an earlier choice is announced at the opening
            writer.announce(entry, EVERYONE, blood.GROWTH_TOLD, on=on)
            writer.touch(public=True)
        writer.touch(players=set(writer.player_ids.values()))  # their own pages say whether it grows


# -- acting inside the rules -------------------------------------------------------------------------------
# A host's action is a row of the log with the host's name, and a replay plays it like a player's action.

ACT = "act"


@retrying
def act_as_host(match: Match, host: Any, action: dict[str, Any], *, key: str = "", only_judge: bool = False) -> None:
    """Carry out a host's action inside the rules; with `only_judge`, do nothing if they accept it. Raises
    `CommandRefused` with the rules' code if they refuse it, which the log records, because a refusal can reveal what is
    private; and `TooLarge`, `MatchFault`, `NotAHost`, `AlreadyDone`."""
    read(action, key)
    with command(match, host, key=key) as writer:
        need_status(writer, "open", otherwise="Hosts can act only in a running match.")
        entry = command_row(writer, host, ACT, key=key, action=action)
        refusal = judge_act(writer, entry, action, only_judge=only_judge)
    if refusal is not None:
        raise CommandRefused(refusal.message, code=refusal.code, field=refusal.field) from refusal


def judge_act(writer: Writer, entry: Submission, action: object, *, only_judge: bool = False) -> Rejected | None:
    """Record a host's action (unless `only_judge`), or else its refusal, which is returned. A refusal is recorded
    without its key, so that hosts can try again."""
    try:
        refuse_unless_open(writer.match)
        with as_rule_failure():
            step = writer.game.act_as_host(writer.state, action, writer.time, writer.draw)
    except Rejected as rejection:
        entry.accepted, entry.code, entry.message, entry.key = False, rejection.code, rejection.message, ""
        if not writer.match.is_over:
            writer.record(entry)
        return rejection
    if not only_judge:
        writer.record(entry, step)
        writer.pass_due()
    return None
