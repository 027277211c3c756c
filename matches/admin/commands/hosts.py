"""Saying who owns a match, who hosts it, and who observes it."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.admin import typed
from matches.admin.commands.base import Command, CommandForm, CommandRequest, Payload, Sentences
from matches.engine.sentences import joined
from matches.models import Match
from matches.services import hosting
from matches.services.roles import MOST_PEOPLE, Roles, roles_from, roles_of

_NO_HOST = "A match needs at least one host."


def _names_field(label: str, help_text: str, **more: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": 50, "autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(label=label, max_length=1000, widget=widget, help_text=help_text, **more)


class RolesForm(CommandForm):
    """Usernames in each role. After `is_valid`, `roles` is who has which."""

    hosts = _names_field(
        "Hosts",
        "Usernames, separated by commas. Hosts give commands; they cannot play in the match.",
        error_messages={"required": _NO_HOST},
    )
    owner = _names_field(
        "Owner",
        "One of the hosts. The owner alone names hosts and observers, and hands the match over.",
        error_messages={"required": "Name the host who owns the match."},
    )
    observers = _names_field(
        "Observers",
        "They see what hosts see and cannot change anything. They can never play in the match, not even later.",
        required=False,
    )

    def prepare(self) -> None:
        before = roles_of(self.match).in_names()
        for field in ("hosts", "observers"):
            self.initial.setdefault(field, ", ".join(before[field]))
        self.initial.setdefault("owner", before["owner"] or "")

    def clean_hosts(self) -> list[Any]:
        found = _people(self.cleaned_data["hosts"])
        if not found:
            raise forms.ValidationError(_NO_HOST)
        return found

    def clean_observers(self) -> list[Any]:
        return _people(self.cleaned_data["observers"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        hosts, watching, name = cleaned.get("hosts"), cleaned.get("observers"), cleaned.get("owner")
        if hosts is None or watching is None or name is None:
            return cleaned
        owner = next((each for each in hosts if each.username.lower() == name.strip().lower()), None)
        if owner is None:
            self.add_error("owner", "The owner has to be one of the hosts above.")
        elif both := [each.username for each in watching if each in hosts]:
            self.add_error("observers", f"{joined(both)} cannot host and observe at once.")
        else:
            cleaned["roles"] = roles_from(hosts, watching, owner=owner)
        return cleaned


def _people(text: str) -> list[Any]:
    """The people of these usernames. Raises `ValidationError` for those who may not sign in to the console."""
    found = []
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MOST_PEOPLE:
        raise forms.ValidationError(f"At most {MOST_PEOPLE} people can have this role.")
    for name in names:
        person = typed.person(name)
        if not person.is_staff:
            raise forms.ValidationError(
                f"{person.username} may not sign in here yet: an administrator has to make them a host first."
            )
        found.append(person)
    return found


def _words(request: CommandRequest) -> list[str]:
    before, wanted = roles_of(request.match), request.values["roles"]
    said = roles_in_words(before, wanted, request.host, of="This match", never="play in this match")
    return [*said, "Everybody can read in its history who has which role."]


def roles_in_words(before: Roles, wanted: Roles, host: Any, *, of: str, never: str) -> list[str]:
    """What follows from new roles, for the host who sets them. `of`: of what; `never`: what the named can never do."""
    names = wanted.in_names()
    said = [f"{of} belongs to {names['owner']} and is hosted by {joined(names['hosts'])}."]
    if wanted.observers:
        said.append(f"{joined(names['observers'])} can see what hosts see, and cannot change anything.")
    known = {each.pk for each in before.everybody}
    if new := [each.username for each in wanted.everybody if each.pk not in known]:
        said.append(f"{joined(sorted(new))} can never {never} from now on, whatever you change later.")
    if wanted.of(host) is None and not host.is_superuser:
        said.append("You are not among them: after this you can no longer look after it.")
    elif not host.is_superuser and wanted.owner != host:
        said.append("You hand it over: after this you can no longer change who has which role.")
    return said


def _set_roles(request: CommandRequest) -> str:
    wanted: Roles = request.values["roles"]
    hosting.set_roles(
        request.match, request.host, wanted.acting, observers=wanted.observers, owner=wanted.owner, key=request.key
    )
    return "The roles are changed."


def roles_changed(payload: Payload) -> str:
    """Who had which role before, and who has it now."""
    said = []
    for name, label in (("owner", "Owner"), ("hosts", "Hosts"), ("observers", "Observers")):
        if name in payload:
            before, after = ([each] if isinstance(each, str) else each or [] for each in payload[name])
            said.append(f"{label}: {', '.join(before) or 'nobody'} → {', '.join(after) or 'nobody'}")
    return "; ".join(said)


HOSTS = Command(
    "hosts", "Hosts…", "users", tuple(Match.Status), _words, _set_roles, RolesForm, for_owner=True, act="set the roles"
)

SENTENCES: Sentences = {"hosts": roles_changed}
