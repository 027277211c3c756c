"""Changing who hosts a match."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model

from matches.admin.commands.base import Command, CommandForm, CommandRequest, Payload, Sentences
from matches.models import Match
from matches.services import roster


class HostsForm(CommandForm):
    """The hosts' usernames."""

    hosts = forms.CharField(
        label="Hosts",
        max_length=1000,
        widget=forms.TextInput(attrs={"size": 50, "autocomplete": "off", "spellcheck": "false"}),
        help_text="Usernames, separated by commas. Hosts see this page; they cannot play in the match.",
        error_messages={"required": "A match needs at least one host."},
    )

    def prepare(self) -> None:
        names = self.match.hosts.order_by("username").values_list("username", flat=True)
        self.initial.setdefault("hosts", ", ".join(names))

    def clean_hosts(self) -> list[Any]:
        names = [name.strip() for name in self.cleaned_data["hosts"].split(",") if name.strip()]
        found = []
        for name in names[:20]:
            person = get_user_model().objects.filter(username__iexact=name, is_active=True).first()
            if person is None:
                raise forms.ValidationError(f"There is nobody called {name[:40]}.")
            if not person.is_staff:
                raise forms.ValidationError(
                    f"{person.username} may not sign in here yet: an administrator has to make them a host first."
                )
            found.append(person)
        if not found:
            raise forms.ValidationError("A match needs at least one host.")
        return found


def _hosts_words(request: CommandRequest) -> list[str]:
    names = ", ".join(person.username for person in request.values["hosts"])
    said = [f"This match is hosted by {names}."]
    if request.host not in request.values["hosts"]:
        said.append("You are not among them: after this you can no longer look after it.")
    return said


def _set_hosts(request: CommandRequest) -> str:
    roster.set_hosts(request.match, request.host, request.values["hosts"])
    return "The hosts are changed."


def _changed(payload: Payload) -> str:
    before, after = payload["hosts"]
    return f"Hosts: {', '.join(before)} → {', '.join(after)}"


HOSTS = Command("hosts", "Hosts…", "users", tuple(Match.Status), _hosts_words, _set_hosts, HostsForm)

SENTENCES: Sentences = {"hosts": _changed}
