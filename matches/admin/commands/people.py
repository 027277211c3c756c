"""Commands about a match's hosts, and about invitations to its places."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms

from matches.admin import fields, formats
from matches.admin.commands.base import (
    BEFORE,
    BEGUN,
    Command,
    CommandForm,
    CommandRequest,
    PlaceForm,
    check_newcomer,
)
from matches.admin.fields import LineField, PersonField
from matches.engine.sentences import Name, joined
from matches.models import Link, Match, clock
from matches.services import hosting, joining, links
from matches.services.commands import Payload
from matches.services.places import need_newcomer
from matches.services.roles import NO_HOST, Roles, check_roles, roles_from, roles_of

# -- owner, hosts and observers of a match -------------------------------------------------------------------


def _names_field(label: str, help_text: str, **more: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": 50, "autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(label=label, max_length=1000, widget=widget, help_text=help_text, **more)


class RolesForm(CommandForm):
    """The usernames in each role. After `is_valid`, `roles` has them all."""

    hosts = _names_field(
        "Hosts",
        "Usernames, separated by commas. Hosts run the match and cannot play in it.",
        error_messages={"required": NO_HOST},
    )
    owner = _names_field(
        "Owner",
        "One of the hosts. Only the owner can name hosts and observers or hand the match over.",
        error_messages={"required": "Name the host who owns the match."},
    )
    observers = _names_field(
        "Observers",
        "They see what hosts see but cannot change anything. They can never play in the match, not even later.",
        required=False,
    )

    held: Any = staticmethod(roles_of)
    """A function that returns the present roles."""

    def prepare(self) -> None:
        before = self.held(self.match).in_names()
        for field in ("hosts", "observers"):
            self.initial.setdefault(field, ", ".join(before[field]))
        self.initial.setdefault("owner", before["owner"] or "")

    def clean_hosts(self) -> list[Any]:
        if not (found := _people(self.cleaned_data["hosts"])):
            raise forms.ValidationError(NO_HOST)
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
            self.add_error("observers", f"{joined(both)} cannot both host and observe.")
        else:
            cleaned["roles"] = roles_from(hosts, watching, owner=owner)
        return cleaned


def _people(text: str) -> list[Any]:
    """The people with these usernames. Raises `ValidationError` for those who may not sign in to the console."""
    found = []
    for name in filter(None, map(str.strip, text.split(","))):
        person = fields.read_person(name)
        if not person.is_staff:
            raise forms.ValidationError(
                f"{person.username} cannot sign in here yet. An administrator has to make them a host first."
            )
        found.append(person)
    return found


def _roles_words(request: CommandRequest) -> list[str]:
    before, wanted = roles_of(request.match), request.values["roles"]
    said = roles_in_words(before, wanted, request.host, of="This match", never="play in this match")
    return [*said, "Everybody can read in the match's history who has which role."]


def roles_in_words(before: Roles, wanted: Roles, host: Any, *, of: str, never: str) -> list[str]:
    """Describe new roles for the host who sets them. `of`: the match or season; `never`: what these people can never
    do."""
    check_roles(wanted, ())
    names = wanted.in_names()
    said = [f"{of} belongs to {names['owner']} and is hosted by {joined(names['hosts'])}."]
    if wanted.observers:
        said.append(f"{joined(names['observers'])} can see what hosts see but cannot change anything.")
    known = {each.pk for each in before.everybody}
    if new := [each.username for each in wanted.everybody if each.pk not in known]:
        said.append(f"From now on {joined(sorted(new))} can never {never}, whatever you change later.")
    if wanted.of(host) is None and not host.is_superuser:
        said.append(f"You are not among its hosts, so after this you can no longer manage {of[0].lower()}{of[1:]}.")
    elif not host.is_superuser and wanted.owner != host:
        said.append("You are handing it over, so after this you can no longer change roles.")
    return said


def _set_roles(request: CommandRequest) -> str:
    wanted: Roles = request.values["roles"]
    hosting.set_roles(
        request.match, request.host, wanted.acting, observers=wanted.observers, owner=wanted.owner, key=request.key
    )
    return "You have changed the roles."


def roles_changed(payload: Payload) -> str:
    """Describe a change of roles from its payload."""
    said = []
    for name, label in (("owner", "Owner"), ("hosts", "Hosts"), ("observers", "Observers")):
        if name in payload:
            before, after = ([each] if isinstance(each, str) else each or [] for each in payload[name])
            said.append(f"{label}: {', '.join(before) or 'nobody'} → {', '.join(after) or 'nobody'}")
    return "; ".join(said)


def _chose_hosts(match: Match, payload: Payload, name: Name) -> str:
    said = [f"chose who hosts the match: {joined(payload['hosts'][1])}"]
    if "owner" in payload and payload["owner"][1]:
        said.append(f"it belongs to {payload['owner'][1]}")
    if "observers" in payload:
        said.append(f"observed by {joined(payload['observers'][1])}")
    return "; ".join(said)


HOSTS = Command(
    "hosts",
    "Hosts…",
    "users",
    tuple(Match.Status),
    _roles_words,
    _set_roles,
    RolesForm,
    for_owner=True,
    act="set the roles",
    said={"hosts": roles_changed},
    history={"hosts": _chose_hosts},
    never={"hosts": "You cannot take this back, but you can change the roles again."},
)


# -- invitations to places, for somebody with an account or as a link ----------------------------------------


class ForWhomForm(forms.Form):
    """Whom a link is for, and how long it works."""

    person = PersonField(
        "For whom (username)", "They get the link as a notice. Leave this empty for a link to pass on yourself."
    )
    label = LineField(
        label="A note for yourself",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"size": 30, "autocomplete": "off"}),
        help_text="For example, whom you sent the link to. Only hosts read this.",
    )
    lasts = forms.CharField(
        label="Works for",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        help_text="Such as 3d or 12h. If you leave it empty, the link works until somebody uses it or you revoke it.",
    )

    def clean_lasts(self) -> timedelta | None:
        lasts = self.cleaned_data["lasts"].strip()
        return fields.read_span(lasts) if lasts else None


class InviteForm(ForWhomForm, PlaceForm):
    """The place of a match, whom the link is for, and how long it works."""

    field_order = ("place", "person", "label", "lasts")

    def offered(self) -> Any:
        open_only = {"user": None, "is_bot": False} if self.match.status in BEFORE else {}
        return super().offered().filter(**open_only)

    def called(self, player: Any) -> str:
        if player.is_open:
            return f"{player.handle}: open"
        return f"{player.handle}: take over from {player.user.username if player.user else 'the bot'}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        check_newcomer(self, need_newcomer)
        return cleaned


def link_words(values: Mapping[str, Any], place: Any) -> list[str]:
    """Describe the link that the form will make."""
    links.check_lasting(values["lasts"])
    for_whom = values["person"]
    said = [f"This makes a new link to {place.handle}'s place. Earlier links to it stop working."]
    said.append(f"{for_whom} gets it as a notice." if for_whom else "You will find it on the Invitations page.")
    if not place.is_open:
        who = place.user.username if place.user else "the bot"
        said.append(f"When somebody uses it, {who} loses the place for good, and everybody hears about it.")
    if values["lasts"] is not None:
        said.append(f"It works until {formats.instant(clock.now() + values['lasts'])}.")
    return said


def inviting(
    form: type[CommandForm],
    place_of: Callable[[CommandRequest], Any],
    invite: Callable[..., Link],
    statuses: Sequence[str],
    **options: Any,
) -> Command:
    """Return the command that makes a link to a place. `place_of`: the chosen place of a match or season as it is
    now."""

    def words(request: CommandRequest) -> list[str]:
        return link_words(request.values, place_of(request))

    def run(request: CommandRequest) -> str:
        meant = {
            "sent_to": request.values["person"],
            "label": request.values["label"],
            "lasts": request.values["lasts"],
        }
        made = invite(request.subject, request.host, place_of(request), **meant, key=request.key)
        return f"{made.sent_to} has the invitation." if made.sent_to else "The link is on the Invitations page."

    return Command("invite", "Invite…", "copy", statuses, words, run, form, **options)


def _place_of(request: CommandRequest) -> Any:
    number = request.values["place"].split(":")[0]
    return request.match.players.select_related("user").get(pk=number)


INVITE = inviting(
    InviteForm,
    _place_of,
    joining.invite,
    (*BEFORE, *BEGUN),
    suits=lambda match: match.status in BEGUN or match.players.filter(user=None, is_bot=False).exists(),
    history={
        "invite": lambda match, payload, name: (
            f"made an invitation to {'take over ' if payload['takes_over'] else ''}{payload['player']}'s place"
        ),
        "invite_again": lambda match, payload, name: f"sent the invitation to {payload['player']}'s place again",
        "revoke_invitation": lambda match, payload, name: f"revoked the invitation to {payload['player']}'s place",
        "renew_invitation": lambda match, payload, name: f"renewed the invitation to {payload['player']}'s place",
    },
)
