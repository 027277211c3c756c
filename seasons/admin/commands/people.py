"""Hosts' commands to begin, duplicate, delete and end a season, and about its hosts, invitations and members."""

from typing import Any

from django import forms

from matches.admin.commands.base import Command, CommandRequest, PlaceForm, check_newcomer, deleting
from matches.admin.commands.people import ForWhomForm, RolesForm, inviting, roles_changed, roles_in_words
from matches.admin.fields import PersonField
from matches.engine.sentences import counted
from matches.services.commands import Payload
from matches.services.roles import roles_of
from seasons.admin.commands.base import DRAFT, RUNNING, SeasonForm, choose_from, foreseen, member_field, public_reason
from seasons.engine.state import LEAST_CAST
from seasons.models import Member, Season
from seasons.queries.access import open_places
from seasons.services import drafts, invitations, people, running

# -- beginning and ending a season, or deleting one that has not begun ---------------------------------------


def _begin_words(request: CommandRequest) -> list[str]:
    cast = list(request.season.cast.all())
    said = [f"“{request.season}” begins now with {counted(len(cast), 'member')}, and everybody can see it."]
    if free := sum(member.is_open for member in cast):
        are = counted(free, "place is", "places are")
        said.append(f"{are} open. Their invitations still work, and in a match bots can play there.")
    said.append("Its settings, cast and opening balances are fixed. Later you can only correct balances.")
    said.append("Who may read and write in its rooms is fixed too. Nobody can apply any more.")
    if len(cast) < LEAST_CAST:
        said.append(f"The site will refuse that: a season needs at least {counted(LEAST_CAST, 'member')}.")
    return said


def _begin(request: CommandRequest) -> str:
    running.begin(request.season, request.host, key=request.key)
    return "The season has begun. Make its first match."


class EndForm(SeasonForm):
    """The reason, if ending the season cancels matches."""

    reason = public_reason()

    def prepare(self) -> None:
        if not running.going(self.season):
            del self.fields["reason"]


def _end_words(request: CommandRequest) -> list[str]:
    matches = running.going(request.season)
    told = [f"“{match}” is cancelled, and its players get back what they brought." for match in matches]
    if not matches:
        told = foreseen(request.season, running.foresee(request.season, request.host, {"end": True}))
    return [*told, "All members who are in share first place. You cannot undo this."]


def _end(request: CommandRequest) -> str:
    running.end(request.season, request.host, request.values.get("reason", ""), key=request.key)
    return "The season has ended."


BEGIN = Command(
    "begin",
    "Begin the season",
    "hourglass",
    (DRAFT,),
    _begin_words,
    _begin,
    said={"begin": lambda payload: f"The season began. SHA-256 of its seed: {payload['seed_hash']}"},
)
END = Command(
    *("end", "End the season…", "gavel", (RUNNING,), _end_words, _end, EndForm),
    danger=True,
    said={"end": lambda payload: "Ended the season"},
)


def _duplicate(request: CommandRequest) -> str:
    made = drafts.duplicate(request.season, request.host, key=request.key)
    request.season.duplicated_as = made.pk  # the console shows that one next
    return f"“{made}” is a draft that only its hosts can see. Now add its cast."


DUPLICATE = Command(
    "duplicate",
    "Duplicate…",
    "copy",
    tuple(Season.Status),
    lambda request: [
        "You get a new draft with the same settings, description, usual hour, application questions and hosts. You "
        "own it.",
        "Its cast is empty.",
    ],
    _duplicate,
)
DELETE = deleting(
    lambda request: [f"This deletes the draft “{request.season}” and its cast. Its invitations stop working."],
    drafts.delete_draft,
)


# -- who hosts a season --------------------------------------------------------------------------------------


class SeasonRolesForm(RolesForm):
    """The usernames in each role. After `is_valid`, `roles` has them all."""

    held = staticmethod(roles_of)

    def prepare(self) -> None:
        super().prepare()
        for field in ("hosts", "observers"):
            self.fields[field].help_text = str(self.fields[field].help_text).replace("play in the match", "be members")


def _roles_words(request: CommandRequest) -> list[str]:
    before, wanted = roles_of(request.season), request.values["roles"]
    said = roles_in_words(before, wanted, request.host, of="This season", never="be in its cast")
    return [*said, "That also applies to all its matches that are not over."]


def _set_roles(request: CommandRequest) -> str:
    people.set_roles(request.season, request.host, request.values["roles"], key=request.key)
    return "You have changed the roles."


HOSTS = Command(
    *("hosts", "Hosts…", "users", tuple(Season.Status), _roles_words, _set_roles, SeasonRolesForm),
    for_owner=True,
    said={"roles": roles_changed},
)


# -- the person behind a member ------------------------------------------------------------------------------

_PERSON, _BOT, _NOBODY = "person", "bot", "nobody"


class ReplaceForm(PlaceForm, SeasonForm):
    """A member's place, and who plays there from now on. After `is_valid`, `member` is the member as the form showed
    them, and `newcomer` the account of who plays, if any."""

    who = forms.ChoiceField(
        label="Who plays from now on",
        choices=[
            (_PERSON, "Somebody else"),
            (_BOT, "A bot"),
            (_NOBODY, "Nobody yet, but you get an invitation to send"),
        ],
        initial=_PERSON,
        widget=forms.RadioSelect,
    )
    person = PersonField(
        "Username", "Only for “Somebody else”. Nobody who has hosted the season or seen its secrets can play."
    )
    reason = public_reason()

    def offered(self) -> Any:
        return self.season.cast.filter(status=Member.Status.IN).select_related("user")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["member"], cleaned["newcomer"] = self.places.get(cleaned.get("place", "")), None
        if cleaned.get("who") != _PERSON:
            return cleaned
        cleaned["newcomer"] = cleaned.get("person")
        check_newcomer(self, people.need_newcomer, needed=True)
        return cleaned


def _now(request: CommandRequest) -> str:
    newcomer = request.values["newcomer"]
    return newcomer.username if newcomer else "a bot" if request.values["who"] == _BOT else "nobody"


def _replace_words(request: CommandRequest) -> list[str]:
    member = request.values["member"]
    said = [f"From now on {_now(request)} plays as {member.handle}, in the season and its matches that are not over."]
    said.append("Handle, balances and places stay as they are, with all the member's secrets.")
    if member.user is not None:
        said.append(f"From then on {member.user.username} can only watch, like everybody else.")
    return [*said, f"Everybody can read this, with your reason: “{request.values['reason']}”."]


def _replace(request: CommandRequest) -> str:
    values = request.values
    people.replace_person(
        request.season,
        request.host,
        values["member"],
        values["newcomer"],
        values["reason"],
        is_bot=values["who"] == _BOT,
        key=request.key,
    )
    return f"From now on {_now(request)} plays as {values['member'].handle}."


def _replaced(payload: Payload) -> str:
    who = "a bot" if payload["is_bot"] else payload["username"] or "nobody yet"
    return f"{payload['player']} is {who}"


REPLACE = Command(
    *("replace", "Replace a person…", "refresh", (RUNNING,), _replace_words, _replace, ReplaceForm),
    said={"person": _replaced},
)


# -- pictures ------------------------------------------------------------------------------------------------


class PictureForm(SeasonForm):
    """A member, and whether their picture is on the cast page."""

    member = member_field()
    what = forms.ChoiceField(
        label="The picture",
        choices=[("hide", "Take it off the cast page"), ("show", "Put it back")],
        initial="hide",
        widget=forms.RadioSelect,
    )

    def prepare(self) -> None:
        choose_from(self, "member", _with_picture(self.season))


def _with_picture(season: Season) -> Any:
    return season.cast.filter(user__picture__isnull=False).select_related("user")


def _set_picture(request: CommandRequest) -> str:
    member, hide = request.values["member"], request.values["what"] == "hide"
    people.hide_picture(request.season, request.host, member, hide=hide, key=request.key)
    return f"{member.handle} now appears {'without' if hide else 'with'} a picture."


PICTURE = Command(
    *("picture", "Pictures…", "eye", tuple(Season.Status)),
    lambda request: [
        f"The cast page of this season shows {request.values['member'].handle} "
        f"{'without' if request.values['what'] == 'hide' else 'with'} a picture. Elsewhere nothing changes."
    ],
    _set_picture,
    PictureForm,
    suits=lambda season: _with_picture(season).exists(),
    said={
        "picture": lambda payload: (
            f"{'Took' if payload['hidden'] else 'Put back'} {payload['player']}'s picture"
            f"{' off the cast page' if payload['hidden'] else ''}"
        )
    },
)


# -- invitations to open places of the cast, for somebody with an account or as a link -----------------------


class InviteForm(ForWhomForm, SeasonForm):
    """The place, whom the invitation is for, and how long it lasts."""

    field_order = ("member", "person", "label", "lasts")

    member = member_field("Place", error_messages={"invalid_choice": "Somebody has taken that place. Choose another."})

    def prepare(self) -> None:
        choose_from(self, "member", open_places(self.season))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        check_newcomer(self, people.need_newcomer)
        return cleaned


INVITE = inviting(
    InviteForm,
    lambda request: request.values["member"],
    invitations.invite,
    (DRAFT, RUNNING),
    suits=lambda season: open_places(season).exists(),
)
