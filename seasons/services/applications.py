"""Applications to a season that has not begun: people apply, hosts decide, and alternates get the places of chosen
people who withdraw before the first match.

All functions raise `CommandRefused` with a sentence. A chosen applicant is a member like anybody who was invited.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from matches.models import Match
from matches.queries.names import set_apart
from matches.services import joining
from matches.services.commands import AlreadyDone, need_host
from matches.services.errors import CommandRefused, retrying
from matches.services.places import own_name
from matches.services.texts import plain_text
from seasons.models import Application, Call, Member, Season
from seasons.services.cast import join_cast
from seasons.services.drafts import draft, noting
from seasons.services.invitations import need_open_place, take_place
from seasons.services.people import give_place, need_newcomer, record_person, with_matches
from seasons.services.roles import why_no_member
from seasons.services.viewers import stop_for
from seasons.services.writer import Writer, applied, locked_season, member_changed_hands

MOST_QUESTIONS, LONGEST_QUESTION = 10, 300
LONGEST_ANSWER = LONGEST_NOTE = 2000
MOST_PLACES = 200
MOST_APPLICATIONS = 500
ANSWER_IT = "Answer this question."

Status = Application.Status
_BEFORE_THE_END = (Status.WAITING, Status.CHOSEN, Status.ALTERNATE)


@retrying
def call_for(
    season: Season, host: Any, questions: Sequence[str], closes_at: datetime, places: int, note: str = ""
) -> None:
    """Open applications to a draft, or change the questions; answers given so far keep their old questions."""
    asked = check_questions(questions)
    note = plain_text(note, LONGEST_NOTE, missing="", field="note") if note.strip() else ""
    with draft(season, host) as row:
        values = {"questions": asked, "closes_at": closes_at, "places": places, "note": note}
        Call.objects.update_or_create(season=row, defaults=values)


def check_questions(questions: Sequence[str]) -> list[str]:
    """Return the questions as they are stored. Raises `CommandRefused`, `BadText`."""
    if len(questions) > MOST_QUESTIONS:
        raise CommandRefused(f"Ask at most {MOST_QUESTIONS} questions.", field="questions")
    return [plain_text(each, LONGEST_QUESTION, missing="Write a question.", field="questions") for each in questions]


def call_of(season: Season) -> Call | None:
    """Return a season's call for applications, or None."""
    return Call.objects.select_related("season").filter(season=season, closes_at__isnull=False).first()


def is_open(call: Call, now: datetime) -> bool:
    """Whether people can apply now."""
    return call.season.status == Season.Status.DRAFT and call.closes_at is not None and now < call.closes_at


def field_of(question: str) -> str:
    """Return the name of a question's form field, which depends only on its text, as hosts may change the list."""
    return f"answer-{hashlib.sha256(question.encode()).hexdigest()[:8]}"


# -- what applicants do --------------------------------------------------------------------------------------


@retrying
def apply(season: Season, user: Any, answers: Mapping[str, str]) -> None:
    """Apply, or change one's answers (by `field_of` their questions), until applications close."""
    with locked_season(season.pk) as writer:
        call = call_of(writer.season)
        if call is None or not is_open(call, writer.now):
            raise CommandRefused("Applications to this season are closed.", code="applications_closed")
        if why_not_apply(writer.season, user):
            raise CommandRefused(why_not_apply(writer.season, user), code="cannot_apply")
        given = [
            [question, plain_text(answers.get(field, ""), LONGEST_ANSWER, missing=ANSWER_IT, field=field)]
            for question, field in ((each, field_of(each)) for each in call.questions)
        ]
        mine = writer.season.applications.filter(user=user).first()
        if mine is None and writer.season.applications.count() >= MOST_APPLICATIONS:
            raise CommandRefused("This season cannot take more applications.", code="applications_full")
        if mine is None:
            mine = Application(season=writer.season, user=user, sent_at=writer.now)
        elif mine.status == Status.WITHDRAWN:
            mine.status, mine.sent_at = Status.WAITING, writer.now
        elif mine.status not in (Status.WAITING, Status.ALTERNATE):
            raise CommandRefused("The hosts have already decided on your application.", code="already_decided")
        mine.answers, mine.changed_at = given, writer.now
        mine.save()


def why_not_apply(season: Season, user: Any) -> str:
    """Say why somebody cannot apply; empty if they can."""
    if why_not := why_no_member(season, user):
        return why_not
    known = season.applications.filter(user=user).exists()
    return "" if known or not season.cast.filter(user=user).exists() else "You are already in the cast of this season."


@retrying
def withdraw(season: Season, user: Any) -> None:
    """Withdraw one's application. A chosen applicant leaves the cast, and the first alternate gets the place."""
    with with_matches(season.pk) as (writer, matches):
        mine = writer.season.applications.select_related("member", "user").filter(user=user).first()
        if mine is None or mine.status not in _BEFORE_THE_END:
            raise CommandRefused("You have no application to this season.", code="not_applied")
        _need_before_matches(writer, too_late=". You can no longer withdraw here: ask a host to withdraw you.")
        member = mine.member if mine.has_place else None
        if member is not None and member.status != Member.Status.IN:
            member = None  # nobody plays on in that place
        mine.status, mine.member, mine.changed_at = Status.WITHDRAWN, None, writer.now
        mine.save()
        if member is None:
            return  # hosts see it on their page; a notice for each would let somebody flood them
        heir = _free(writer, matches, mine, member)
        text = f"{set_apart(own_name(user))}, whom you had chosen, has withdrawn."
        if heir is not None:
            text += f" {set_apart(own_name(heir.user))}, the first alternate, gets the place."
        applied.send(Application, application=mine, text=text, to_hosts=True)


def _need_before_matches(writer: Writer, *, too_late: str) -> None:
    season = writer.season
    has_ended = season.status == Season.Status.ENDED
    if has_ended or season.matches.filter(opened_at__isnull=False).exists():
        what = "The season has ended" if has_ended else "The first match of the season has begun"
        raise CommandRefused(f"{what}{too_late}", code="too_late")


_OF_A_PLACE = ("position", "team", "garnets", "priority", "blood_garnets")
"""What stays with a place when its person changes in a draft."""


def _free(writer: Writer, matches: list[Match], left: Application, member: Member) -> Application | None:
    """Give a place that somebody has left to the first alternate; return that alternate's application, if any."""
    season, is_draft = writer.season, writer.season.status == Season.Status.DRAFT
    heir = _first_alternate(season)
    if is_draft and left.made_place:  # its handle is like the username of who left
        kept = {name: getattr(member, name) for name in _OF_A_PLACE}
        member.delete()
        if heir is not None:
            _seat(writer, matches, heir, None, withdrawn=True)
            season.cast.filter(user=heir.user).update(**kept)
        return heir
    for match in matches:
        joining.leave(match, left.user)
    give_place(season, member, None)
    stop_for(writer, Q(member=member))
    if heir is not None:
        _seat(writer, matches, heir, member, withdrawn=True)
    elif not is_draft:
        record_person(writer, member, _WITHDREW, actor=f"member:{member.handle}", user=left.user)
    if not is_draft:
        member_changed_hands.send(sender=Member, member=member, left=left.user)
    return heir


def _first_alternate(season: Season) -> Application | None:
    """The earliest application of an alternate who can still be in the season."""
    for each in season.applications.filter(status=Status.ALTERNATE, user__is_active=True).select_related("user"):
        if not why_no_member(season, each.user) and not season.cast.filter(user=each.user).exists():
            return each
    return None


_WITHDREW = "They withdrew before the first match."
_HEIR = "They have withdrawn, and the first alternate gets the place."


def _seat(
    writer: Writer, matches: list[Match], chosen: Application, member: Member | None, *, withdrawn: bool = False
) -> None:
    """Put a chosen applicant into this open place, or a new one, and tell them. `withdrawn`: somebody left it."""
    chosen.made_place = member is None
    if member is None:
        member = join_cast(writer.season, chosen.user)
    else:
        take_place(writer, matches, member, chosen.user, _HEIR if withdrawn else "")
    chosen.status, chosen.member, chosen.changed_at = Status.CHOSEN, member, writer.now
    chosen.save()
    why = "Somebody has withdrawn, and you get the place" if withdrawn else "The hosts have chosen you"
    applied.send(Application, application=chosen, text=f"{why}: you are in the cast as {member.shown_name}.")


# -- what hosts do -------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """A decision: choose somebody for this open place or (in a draft) a new one, make them an alternate, or decline."""

    application: Application
    status: str
    place: Member | None = None


@retrying
def decide(season: Season, host: Any, decisions: Iterable[Decision]) -> None:
    """Carry out all of these decisions or none, and notify applicants. Raises `NotAHost`, `AlreadyDone`."""
    with with_matches(season.pk) as (writer, matches):
        need_host(writer.season, host)
        _need_before_matches(writer, too_late=", so you can no longer decide on applications.")
        with noting(writer.season, host):
            if not [each for each in decisions if _decide(writer, matches, each)]:
                raise AlreadyDone("A host has already decided that.")


def _decide(writer: Writer, matches: list[Match], wanted: Decision) -> bool:
    """Carry out one decision; return whether anything has changed."""
    number, status = wanted.application.pk, wanted.status
    found = writer.season.applications.select_related("member", "user").filter(pk=number).first()
    if found is None or found.status == Status.WITHDRAWN:
        who = wanted.application.user
        raise CommandRefused(f"{who} has withdrawn this application.", field=f"what-{number}", code="withdrawn")
    if found.status == status and (status != Status.CHOSEN or found.has_place):
        return False
    if found.has_place:
        raise CommandRefused(f"{found.user} is already in the cast.", field=f"what-{number}", code="already_chosen")
    if status == Status.CHOSEN:
        _choose(writer, matches, found, wanted.place)
        return True
    if status not in _TOLD:
        raise CommandRefused("Choose the applicant, make them an alternate, or decline.", field="decision")
    found.status, found.changed_at = status, writer.now
    found.save()
    applied.send(Application, application=found, text=_TOLD[status])
    return True


_TOLD: dict[str, str] = {
    Status.ALTERNATE: "You are an alternate. If somebody withdraws before the first match, the alternate who applied "
    "first gets the place.",
    Status.DECLINED: "The hosts have not chosen you this time.",
}


def _choose(writer: Writer, matches: list[Match], found: Application, place: Member | None) -> None:
    if there := writer.season.cast.filter(user=found.user).first():  # a host has added them in another way
        found.status, found.member, found.changed_at = Status.CHOSEN, there, writer.now
        found.made_place = False
        found.save()
        text = f"The hosts have chosen you: you are in the cast as {there.shown_name}."
        applied.send(Application, application=found, text=text)
        return
    need_newcomer(writer.season, found.user)
    if place is None and writer.season.status != Season.Status.DRAFT:
        raise CommandRefused("The season has begun, so you cannot add a place. Choose an open one.", field="place")
    _seat(writer, matches, found, None if place is None else need_open_place(writer, place))


# -- deleted accounts ----------------------------------------------------------------------------------------


def leave_all(user: Any) -> None:
    """Delete all of somebody's applications; an alternate gets a place that one has given them."""
    for each in Application.objects.filter(user=user).select_related("season").order_by("pk"):
        if each.status in _BEFORE_THE_END:
            with suppress(CommandRefused):  # once a match has begun, `account_deletion` leaves the place
                withdraw(each.season, user)
        each.delete()
