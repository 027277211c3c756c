"""Commands for what hosts do within the rules, one for each `host_actions` of a game with a form (`host_forms.py`)."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms

from matches.admin.commands.base import OPEN, Command, CommandForm, CommandRequest, SentAsItIs
from matches.admin.fields import host_forms
from matches.engine.sentences import Name
from matches.games.registry import all_games
from matches.inputs import HostForm
from matches.models import Match
from matches.queries.access import is_legible
from matches.queries.matches import Position
from matches.services import hosting
from matches.services.commands import Payload
from matches.services.errors import Refused

PREFIX = "host-"


def _part_of(kind: type[HostForm], match: Match) -> HostForm:
    position = Position(match)
    return kind(position.config, position.public, position.hosts, _names(match))


def _names(match: Match) -> Mapping[str, str]:
    """The names of players by handle, in the order of the list."""
    return {player.handle: player.shown_name for player in match.players.order_by("position", "pk")}


class ActForm(SentAsItIs, CommandForm):
    """The game's form. After `is_valid`, the values include the `action`; the log records it if the rules refuse it."""

    kind: type[HostForm]

    def prepare(self) -> None:
        self.part = _part_of(self.kind, self.match)
        self.fields.update(self.part.fields())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            action = self.part.action(cleaned)
        except forms.ValidationError as error:
            self.add_error(None, error)
            return cleaned
        try:
            hosting.act_as_host(self.match, self.host, action, key=self.data.get("key", ""), only_judge=True)
        except Refused as refused:
            at = self.part.field_at(refused.field) if refused.field else None
            self.add_error(at if at in self.fields else None, refused.message)
        self.match.refresh_from_db()  # a deadline may have passed just now
        return {**cleaned, "action": action}

    @property
    def media(self) -> forms.Media:
        return super().media + forms.Media(css={"all": [self.part.style] if self.part.style else []})

    @property
    def shown(self) -> Any:
        """What the game's template shows of the form."""
        return self.part.shown(self)


def _suits(slug: str, kind: type[HostForm], match: Match) -> bool:
    return match.game == slug and bool(match.state) and is_legible(match) and _part_of(kind, match).suits


def _command(slug: str, name: str, kind: type[HostForm]) -> Command:
    def action(request: CommandRequest) -> dict[str, Any]:
        return request.values.get("action") or {"type": name}

    def words(request: CommandRequest) -> list[str]:
        return list(Position(request.match).host_words(action(request), _names(request.match)))

    def run(request: CommandRequest) -> str:
        hosting.act_as_host(request.match, request.host, action(request), key=request.key)
        return f"You {request.match.rules.host_acts.get(name, 'acted inside the rules')}."

    form, suits = type("OwnActForm", (ActForm,), {"kind": kind}), partial(_suits, slug, kind)
    where = f"{PREFIX}{name}"
    return Command(
        *(where, kind.label, kind.icon, (OPEN,), words, run, form),
        suits=suits,
        often=kind.often,
        history={"act": _told},
        never={"act": "It counts at once, so you cannot take it back. Hosts can act again."},
    )


def _told(match: Match, payload: Payload, name: Name) -> str:
    return match.rules.host_acts.get(payload["action"]["type"], "acted inside the rules")


ACTING = tuple(
    _command(slug, name, kind) for slug, game in all_games().items() for name, kind in host_forms(game).items()
)
