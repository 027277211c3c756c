"""The list of everything that a person looks after: what is going on, until when, who is missing, what needs them.

Other apps register entries of their own (seasons) and needs of matches (something to read, report or settle). Entries
hold texts and URLs only, and nothing that a host may not know. Reading the list takes the same number of queries
however many matches there are.
"""

from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.urls import reverse

from matches.engine.sentences import counted
from matches.models import Holding, Match, MatchRole, Player, Role
from matches.pages.extensions import Makers
from matches.queries import announcements
from matches.queries.matches import Position
from matches.queries.paging import first_of
from matches.services.absences import away_now
from matches.services.roles import with_a_role

logger = structlog.get_logger(__name__)

MOST = 60
"""The most matches in the list; those that need somebody come first."""

_BADGES = {Match.Status.OPEN: "jade", Match.Status.PAUSED: "brass", Match.Status.SCHEDULED: "brass"}


class Need(NamedTuple):
    """Something that waits for a host. `kind`: `fault` (nothing goes on without a host), `ask`, or `unread`."""

    text: str
    href: str
    kind: str = "ask"


class Entry(NamedTuple):
    """A line of the list. `where`: phase or round; `until`: the next deadline, the start, or the end of a pause,
    with the `verb` before it; `missing`: names of people who have not done what is asked of them; `role`: the
    reader's own."""

    title: str
    href: str
    what: str
    status: str
    badge: str = "outline"
    role: str = ""
    where: str = ""
    until: datetime | None = None
    verb: str = "closes"
    paused_since: datetime | None = None
    missing: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    site: str = ""

    @property
    def urgency(self) -> tuple[int, float]:
        """The sort key: faults first, then what asks something, then the rest; each by deadline."""
        kinds = {need.kind for need in self.needs}
        rank = 0 if "fault" in kinds else 1 if "ask" in kinds else 2
        return rank, self.until.timestamp() if self.until else float("inf")


of_needs = Makers[[Any, Sequence[Match]], Mapping[int, Sequence[Need]]]()
"""Functions of other apps that return what waits in matches that a person looks after, by the match's id."""

of_entries = Makers[[Any], Sequence[Entry]]()
"""Functions of other apps that return what else a person looks after."""


def entries_for(user: Any) -> list[Entry]:
    """Return everything that a person looks after and that is not over, the most urgent first. Superusers get only what
    they have a role in; the other matches are in the console's list."""
    matches = _matches_of(user)
    waiting = _waiting_in(user, matches)
    away = away_now(*matches)
    found = [_entry(match, vars(match)["held"], waiting[match.pk], away) for match in matches]
    for entries in of_entries.ask(user):
        found += entries
    return sorted(found, key=lambda entry: entry.urgency)


def looked_after(user: Any) -> QuerySet[Match]:
    """Return the matches that a person hosts or observes, that are not over, and in which they do not play."""
    found = Match.objects.filter(with_a_role(user), status__in=(*Match.RUNNING, *Match.BEFORE))
    return found.exclude(players__user=user)


def _matches_of(user: Any) -> list[Match]:
    """Faulty ones first, then by deadline."""
    calm = Case(When(fault="", start_problem="", then=Value(1)), default=Value(0))
    found = looked_after(user)
    held = MatchRole.objects.filter(match=OuterRef("pk"), user=user).values("role")[:1]
    found = found.annotate(held=Subquery(held)).order_by(calm, F("next_deadline_at").asc(nulls_last=True), "-pk")
    return first_of(found.prefetch_related("players"), MOST)


def _waiting_in(user: Any, matches: Sequence[Match]) -> dict[int, list[Need]]:
    """What waits in each of these matches, besides play, by the match's id."""
    found: dict[int, list[Need]] = {match.pk: [] for match in matches}
    for pk, count in announcements.open_questions_in(matches).items():
        found[pk].append(Need(f"{counted(count, 'question')} from players", f"{_console(pk)}#questions"))
    debts = Holding.objects.filter(player__match__in=matches, amount__lt=0).order_by("player__position")
    for pk, name, handle in debts.values_list("player__match_id", "player__name", "player__handle"):
        found[pk].append(Need(f"{name or handle} is in debt", f"{_console(pk)}#players"))
    for each in of_needs.ask(user, matches):
        for pk, needs in each.items():
            found[pk] += needs
    return found


def _console(pk: int) -> str:
    return reverse("admin:matches_match_change", args=[pk])


def _entry(match: Match, role: str, waiting: Sequence[Need], away: Container[int]) -> Entry:
    console = _console(match.pk)
    where, missing, fault, asked = _play_of(match, away)
    needs = [Need(text, console, "fault") for text in _faults(match, fault)]
    needs += [Need(asked, console)] if asked else []
    if match.status == Match.Status.DRAFT:
        needs.append(Need("not published yet", console, "unread"))
    is_coming = match.status == Match.Status.SCHEDULED
    return Entry(
        title=match.title,
        href=console,
        what=match.rules.title,
        status=match.get_status_display(),
        badge=_BADGES.get(Match.Status(match.status), "outline"),
        role=Role(role).label,
        where=where,
        until=match.resumes_at or match.next_deadline_at,
        verb="begins" if is_coming else "resumes" if match.resumes_at else "next deadline",
        paused_since=match.paused_at,
        missing=missing,
        needs=(*needs, *waiting),
        site=match.get_absolute_url() if match.is_public else "",
    )


def _faults(match: Match, illegible: str) -> list[str]:
    found = []
    if match.fault:
        found.append("set aside: its rules failed" if match.is_set_aside else "an action failed; the match goes on")
    if not match.rules.is_known:
        found.append("the site does not have its rules")
    elif illegible:
        found.append(illegible)
    if match.start_problem:
        found.append("did not begin: set another start time")
    return found


def _play_of(match: Match, away: Container[int]) -> tuple[str, tuple[str, ...], str, str]:
    """Phase or round, who is missing, what is wrong, what hosts are asked. A broken match must not hide the others."""
    if not match.state or not match.rules.is_known:
        return "", (), "", ""
    try:
        position = Position(match)
        where = match.rules.progress(position.public).where if position.public else ""
        asked = position.hosts_asked if match.status == Match.Status.OPEN else None
        return where, tuple(_missing(match, position, away)), "", asked.text if asked else ""
    except Exception:
        logger.exception("match_illegible", match=match.pk)
        return "", (), "the site cannot show where it stands", ""


def _missing(match: Match, position: Position, away: Container[int]) -> list[str]:
    """Like `hosting.who_is_missing`, but without queries."""
    if match.status != Match.Status.OPEN:
        return []
    people: list[Player] = [each for each in match.players.all() if each.user_id and not each.is_bot]
    return [player.shown_name for player in people if player.pk not in away and _is_missing(position, player)]


def _is_missing(position: Position, player: Player) -> bool:
    private = position.private_of(player)
    return private is not None and bool(private.asked)
