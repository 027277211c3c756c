"""What all commands share: the classes `SeasonCommand` and `SeasonRequest`, and their forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from django import forms

from matches.admin import formats
from matches.admin.line_fields import reason_field
from matches.engine.ledger import GARNET, PRIORITY
from matches.engine.sentences import asset_name
from matches.engine.step import HOSTS
from matches.queries.amounts import units
from matches.queries.bidirectional import set_apart
from seasons.engine.commands import LONGEST_REASON
from seasons.engine.sentences import in_words
from seasons.engine.state import SeasonState, Step, Transfer
from seasons.models import Member, Season, SeasonRole
from seasons.queries.standing import state_of
from seasons.services import running


class SeasonRequest(msgspec.Struct):
    """A host's request for a command: in which season, with which values, and its one-time key."""

    season: Any
    host: Any
    values: dict[str, Any]
    key: str = ""

    @property
    def state(self) -> SeasonState:
        """The state of a season that has begun."""
        state = state_of(self.season)
        if state is None:
            raise RuntimeError("the season has not begun")
        return state


class SeasonForm(forms.Form):
    """Base of all forms, with `season`, `state` and `host`; has no fields."""

    def __init__(self, season: Season, host: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"use_required_attribute": False, **kwargs})
        self.season, self.host = season, host
        self.state = state_of(season)
        self.prepare()

    def prepare(self) -> None:
        """Adapt the fields to the season."""


def public_reason() -> Any:
    """Why; everybody can read it."""
    field = reason_field("Everybody can read it.", required="Say why; everybody can read the reason.")
    field.max_length = min(field.max_length or LONGEST_REASON, LONGEST_REASON)
    return field


class MemberField(forms.ModelChoiceField):
    """One member of the cast."""

    def __init__(self, label: str = "Member", **kwargs: Any) -> None:
        super().__init__(queryset=Member.objects.none(), label=label, empty_label="choose", **kwargs)

    def label_from_instance(self, member: Any) -> str:
        return formats.called(member)


def choose_from(form: forms.Form, field: str, members: Any) -> None:
    """Let a field of the form offer these members."""
    form.fields[field].queryset = members  # type: ignore[attr-defined]


Suits = Callable[[Season, SeasonState | None], bool]


class SeasonCommand(msgspec.Struct, frozen=True):
    """`label` is on the button. `suits` says whether it is possible now, `consequence` what will happen; `run` does it
    and returns a message. `is_asked`: whether the season waits for it, where it is possible."""

    name: str
    label: str
    icon: str
    suits: Suits
    consequence: Callable[[SeasonRequest], list[str]]
    run: Callable[[SeasonRequest], str]
    form: type[Any] = SeasonForm
    danger: bool = False
    for_owner: bool = False
    is_asked: Callable[[SeasonState | None], bool] = lambda state: False

    def for_role(self, role: str) -> bool:
        """Whether people with this role may do it."""
        return role == SeasonRole.Role.OWNER if self.for_owner else role in SeasonRole.ACTING


def of_the_rules(
    name: str,
    label: str,
    icon: str,
    suits: Suits,
    form: type[Any],
    raw: Callable[[SeasonRequest], dict[str, Any]],
    done: Callable[[SeasonRequest], str],
    *more: str,
    **options: Any,
) -> SeasonCommand:
    """A command that `raw` makes for the rules. Its consequence is what they foresee, and `more` sentences."""

    def consequence(request: SeasonRequest) -> list[str]:
        step = running.foresee(request.season, request.host, raw(request))
        return [*foreseen(request.season, step), *more]

    def run(request: SeasonRequest) -> str:
        running.command(request.season, request.host, raw(request), key=request.key)
        return done(request)

    return SeasonCommand(name, label, icon, suits, consequence, run, form, **options)


def is_running(season: Season, state: SeasonState | None) -> bool:
    """Whether the season has begun and not ended."""
    return season.status == Season.Status.RUNNING


# -- what a step would do, in words ----------------------------------------------------------------------


def foreseen(season: Season, step: Step) -> list[str]:
    """What a step tells and moves, a sentence each: first what is told, then what each member gets and loses."""
    names = {member.handle: set_apart(member.shown_name) for member in season.cast.all()}
    titles = dict(season.matches.values_list("number", "match__title"))
    said = [
        in_words(
            each.kind,
            each.data,
            lambda handle: names.get(handle, handle),
            lambda key: titles.get(int(key), f"match {key}"),
        )
        for each in step.announcements
        if each.audience != HOSTS
    ]
    moved = [_moved(each, names) for each in step.transfers if each.reason in _OF_INTEREST]
    return [*said, *_returned(step, names), *moved]


_OF_INTEREST = frozenset({"lost", "taken_over"})


def _moved(transfer: Transfer, names: Mapping[str, str]) -> str:
    giver, receiver = transfer.giver or "", transfer.receiver or ""
    to = f"{names.get(receiver, receiver)} gets them" if receiver else "they are lost"
    return f"{names.get(giver, giver)} gives up {units(transfer.asset, transfer.amount)}; {to}."


def _returned(step: Step, names: Mapping[str, str]) -> list[str]:
    """What comes back from a match, in one sentence for each player."""
    back: dict[str, dict[str, int]] = {}
    for each in step.transfers:
        if each.reason in ("returned", "cancelled"):
            handle = each.receiver or each.giver or ""
            sign = 1 if each.receiver else -1
            back.setdefault(handle, {})[each.asset] = sign * each.amount
    return [
        f"{names.get(handle, handle)} has {asset_name(GARNET, found.get(GARNET, 0))} and "
        f"{asset_name(PRIORITY, found.get(PRIORITY, 0))} back from it."
        for handle, found in back.items()
    ]
