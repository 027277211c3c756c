"""What all commands of a season share: base forms, fields, and sentences about what a command will do."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandForm, CommandRequest, PlayerField
from matches.admin.fields import reason_field
from matches.engine.core import GARNET, PRIORITY
from matches.engine.sentences import asset_name
from matches.engine.step import HOSTS
from matches.models.ledger import units
from matches.queries.names import set_apart
from seasons.engine.commands import LONGEST_REASON
from seasons.engine.sentences import in_words
from seasons.engine.state import SeasonState, Step, Transfer
from seasons.models import Member, Season
from seasons.queries.standing import begun, titles_of
from seasons.services import running

DRAFT, RUNNING = Season.Status.DRAFT, Season.Status.RUNNING
BEGUN = (RUNNING, Season.Status.ENDED)


class SeasonForm(CommandForm):
    """Base of all forms, with the season, its state, and the host; has no fields."""

    def __init__(self, season: Season, *args: Any, **kwargs: Any) -> None:
        self.season, self.state = season, season.decoded()
        super().__init__(season, *args, **kwargs)


def public_reason() -> Any:
    """Return the field for a reason that everybody can read."""
    field = reason_field("Everybody can read it.")
    field.max_length = min(field.max_length or LONGEST_REASON, LONGEST_REASON)
    return field


def member_field(label: str = "Member", **more: Any) -> Any:
    """Return a field for one member of the cast; see `choose_from`."""
    return PlayerField(queryset=Member.objects.none(), label=label, empty_label="choose", **more)


def choose_from(form: forms.Form, field: str, members: Any) -> None:
    """Set the members that a field of the form offers."""
    form.fields[field].queryset = members  # type: ignore[attr-defined]


def of_the_rules(
    name: str,
    label: str,
    icon: str,
    suits: Callable[[SeasonState], bool],
    form: type[Any],
    raw: Callable[[CommandRequest], dict[str, Any]],
    done: Callable[[CommandRequest], str],
    *more: str,
    statuses: Sequence[str] = BEGUN,
    **options: Any,
) -> Command:
    """Return a command that the season's rules carry out: `raw` makes the rules' command from a request. Its
    consequence is what a dry run says, followed by the sentences `more`."""

    def consequence(request: CommandRequest) -> list[str]:
        step = running.foresee(request.season, request.host, raw(request))
        return [*foreseen(request.season, step), *more]

    def run(request: CommandRequest) -> str:
        running.command(request.season, request.host, raw(request), key=request.key)
        return done(request)

    return Command(
        *(name, label, icon, statuses, consequence, run, form),
        suits=lambda season: suits(begun(season)),
        **options,
    )


# -- what a step would do, in words --------------------------------------------------------------------------


def foreseen(season: Season, step: Step) -> list[str]:
    """Describe a step, one sentence each: its announcements, then what each member gets and loses."""
    names = {member.handle: set_apart(member.shown_name) for member in season.cast.all()}
    titles = titles_of(season)
    said = [
        in_words(
            each.kind,
            each.data,
            lambda handle: names.get(handle, handle),
            lambda key: titles.get(key, f"match {key}"),
        )
        for each in step.announcements
        if each.audience != HOSTS
    ]
    moved = [_moved(each, names) for each in step.transfers if each.reason in _OF_INTEREST]
    return [*said, *_returned(step, names), *moved]


_OF_INTEREST = frozenset({"lost", "taken_over"})


def _moved(transfer: Transfer, names: Mapping[str, str]) -> str:
    giver, receiver = (names.get(each, each) for each in (transfer.giver or "", transfer.receiver or ""))
    amount = units(transfer.asset, transfer.amount)
    return f"{receiver} gets {amount} from {giver}." if receiver else f"{giver} loses {amount}."


def _returned(step: Step, names: Mapping[str, str]) -> list[str]:
    """What returns from a match, one sentence for each player."""
    back: dict[str, dict[str, int]] = {}
    for each in step.transfers:
        if each.reason in ("returned", "cancelled"):
            handle = each.receiver or each.giver or ""
            sign = 1 if each.receiver else -1
            back.setdefault(handle, {})[each.asset] = sign * each.amount
    return [
        f"{names.get(handle, handle)} gets {asset_name(GARNET, found.get(GARNET, 0))} and "
        f"{asset_name(PRIORITY, found.get(PRIORITY, 0))} back from the match."
        for handle, found in back.items()
    ]
