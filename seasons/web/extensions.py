"""What seasons add to the pages of matches and people, and to hosts' overview."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db import DatabaseError
from django.db.models import Count, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from matches.engine.sentences import counted, joined
from matches.models import Match, Player, clock
from matches.pages.desk import Entry, Need
from matches.pages.extensions import Makers, Mine, Panel, Section, Tab
from matches.queries.access import Viewer
from matches.queries.names import set_apart
from seasons.engine.season import FINALISTS, next_deadline
from seasons.engine.state import BY_CANDIDATE, BY_HOST, DEATH_MATCH, OPPONENT, RUNNING, SeasonState
from seasons.models import Application, Member, Season, SeasonRole
from seasons.queries import standing
from seasons.queries.access import Viewer as SeasonViewer
from seasons.queries.access import watched_by
from seasons.services.bringing import place_of
from seasons.services.viewers import active, offered

of_seasons = Makers[[SeasonViewer], tuple[Tab, ...]]()
"""Functions of other apps that return tabs for the pages of a season, for one viewer."""

needs_of_seasons = Makers[[Any, Sequence[Season]], Mapping[int, Sequence[Need]]]()
"""Functions of other apps that return what waits for a person in these seasons, by season id: tasks of hosts, and
unread messages of members. Each makes a fixed number of queries."""


def needs_in(user: Any, seasons: Sequence[Season]) -> dict[int, list[Need]]:
    """Return everything that waits for a person in these seasons, by season id."""
    found: dict[int, list[Need]] = {season.pk: [] for season in seasons}
    for each in needs_of_seasons.ask(user, seasons) if seasons else ():
        for pk, needs in each.items():
            found[pk] += needs
    return found


def in_its_season(viewer: Viewer) -> tuple[Panel | Tab, ...]:
    """Return the panel of a match in a season and, for a trusted viewer, the tab of what they see; or nothing."""
    found = place_of(viewer.match)
    if found is None or not found.season.is_public:
        return ()
    cast = list(found.season.cast.values_list("status", "user_id"))
    context = {
        "season": found.season,
        "found": found,
        "members": len(cast),
        "still_in": sum(status == Member.Status.IN for status, _ in cast),
        "viewers": active(found.season),
        "mine": viewer.user.is_authenticated and any(user_id == viewer.user.pk for _, user_id in cast),
    }
    panel = SafeString(render_to_string("seasons/in_season.html", context))
    found_panel = Panel("season", "In its season", panel, is_open=True)
    if (seen := seen_through(viewer)) is None:
        return (found_panel,)
    href = reverse("seasons:their_view", args=[viewer.match.public_id])
    return (found_panel, Tab("their_view", f"As {set_apart(seen.shown_name)}", href))


def seen_through(viewer: Viewer) -> Player | None:
    """Return the player of a season's match whose trusted viewer this person is, or None."""
    if viewer.player is not None or viewer.sees or (found := place_of(viewer.match)) is None:
        return None
    member = watched_by(found.season, viewer.user)
    return None if member is None else viewer.match.players.filter(handle=member.handle).first()


def _public_members(user: Any) -> list[Member]:
    found = Member.objects.filter(user=user).exclude(season__status=Season.Status.DRAFT)
    return list(found.select_related("season").order_by("-season__created_at", "-pk")[:50])


def seasons_of(user: Any, viewer: Any) -> Section | None:
    """Return the seasons of a person, for their profile."""
    members = _public_members(user)
    if not members:
        return None
    html = render_to_string("seasons/in_profile.html", {"members": members})
    data = [
        {"id": member.season.public_id, "title": member.season.title, "status": member.status, "place": member.place}
        for member in members
    ]
    return Section("seasons", "Seasons", SafeString(html), data)


def mine(user: Any) -> Mine | None:
    """Return a person's seasons for My matches, those that wait for them first."""
    members, applied = _public_members(user), standing.applied_by(user)
    if not (members or applied):
        return None
    waiting = waiting_for(user, members)
    row = "seasons/asks_me.html"
    asks = [SafeString(render_to_string(row, each)) for each in waiting if each["asks"] or each["needs"]]
    listed = render_to_string("seasons/in_profile.html", {"members": members, "applied": applied})
    return Mine("seasons", "Your seasons", SafeString(listed), tuple(asks))


class Ask(NamedTuple):
    """A task of a member, its deadline, and where to do it (`href`)."""

    text: str
    href: str
    until: datetime | None = None


def waiting_for(user: Any, members: Sequence[Member]) -> list[dict[str, Any]]:
    """Return what waits for this person in each of their places: tasks, and unread messages."""
    needs, offers = needs_in(user, [member.season for member in members]), list(offered(members))
    return [
        {"member": each, "asks": list(_asks(each, offers)), "needs": needs[each.season_id], "now": clock.now()}
        for each in members
    ]


def _asks(member: Member, offers: Sequence[Any]) -> Iterator[Ask]:
    season, state = member.season, member.season.decoded()
    going = standing.going_on(season, state)
    names = state is not None and state.settings.opponent == BY_CANDIDATE and member.handle in going.candidates
    if going.phase == OPPONENT and names:
        yield Ask("Name your opponent in the Death Match", f"{season.get_absolute_url()}#now-title", going.closes)
    for each in offers:
        if each.member_id == member.pk and season.status == Season.Status.RUNNING:
            yield Ask(f"Say whether {each.user} may be your trusted viewer", f"{season.get_absolute_url()}#viewers")


# -- tasks of a season's hosts, for its console and for the overview of all that a host looks after ----------

logger = structlog.get_logger(__name__)

_MOST_LISTED = 60
_BADGES = {Season.Status.RUNNING: "jade"}


class Asked(NamedTuple):
    """A task of a host; `command` does it (empty: making the next match, a match for two with `for_two`)."""

    text: str
    command: str
    for_two: bool = False


NEXT = Asked("Make the next match.", "")
FINAL = Asked("Only two are left, so make the final.", "", for_two=True)
PLAY = Asked("Play the Death Match here, so that the site records its result.", "", for_two=True)


def asked_of_hosts(season: Season, state: SeasonState | None) -> list[Asked]:
    """Return the present tasks of a season's hosts."""
    if state is None:
        waiting = season.applications.filter(status=Application.Status.WAITING).count()
        decide = [Asked(f"Decide on {counted(waiting, 'application')}.", "decide")] if waiting else []
        return [*decide, Asked("Begin the season, once its cast is complete.", "begin")]
    found = []
    titles = standing.titles_of(season)
    for match in state.matches:
        if match.result is not None:
            found.append(Asked(f"Confirm the settlement of “{titles.get(match.key, match.key)}”.", "settle"))
    after = state.after
    if state.phase == OPPONENT and after and state.settings.opponent == BY_HOST:
        found.append(Asked(f"Name the opponent of {joined(after.candidates)} in the Death Match.", "opponent"))
    if state.phase == DEATH_MATCH and after and not any(each.is_death_match for each in state.matches):
        if state.duel and not _has_coming(season):
            found.append(PLAY)
        found.append(Asked(f"Record who lost the Death Match of {joined(after.between)}.", "death-match"))
    if state.phase == RUNNING and not found and not _has_coming(season):
        found.append(FINAL if len(state.handles_in()) == FINALISTS else NEXT)
    return found


def _has_coming(season: Season) -> bool:
    """Whether one of its matches is being prepared or played."""
    return season.matches.exclude(match__status__in=Match.OVER).exists()


def entries_of(user: Any) -> Sequence[Entry]:
    """Return the overview's entries for a person's unfinished seasons."""
    held = SeasonRole.objects.filter(user=user, role__in=SeasonRole.SEEING).exclude(season__status=Season.Status.ENDED)
    held = held.exclude(season__cast__user=user).select_related("season").order_by("-season__created_at")[:_MOST_LISTED]
    counted = Season.objects.filter(pk__in=[role.season_id for role in held]).annotate(
        members=Count("cast"), still_in=Count("cast", filter=Q(cast__status="in"))
    )
    counts = {season.pk: season for season in counted}
    more = needs_in(user, [role.season for role in held])
    return [_entry(role, counts[role.season_id], more[role.season_id]) for role in held]


def _entry(role: SeasonRole, counted: Any, more: Sequence[Need]) -> Entry:
    season: Season = role.season
    page = reverse("admin:seasons_season_change", args=[season.pk])
    try:
        state = season.decoded()
        needs = tuple(
            Need(each.text, page, "unread" if state is None or each in (NEXT, FINAL) else "ask")
            for each in asked_of_hosts(season, state)
        )
    except DatabaseError:
        raise
    except Exception:  # one faulty season must not hide the others
        logger.exception("season_illegible", season=season.pk)
        state, needs = None, (Need("the rules fail, so we cannot show how it stands", page, "fault"),)
    due = next_deadline(state) if state and state.phase == OPPONENT else None
    is_draft = season.status == Season.Status.DRAFT
    return Entry(
        title=season.title,
        href=page,
        what="Season",
        status=season.get_status_display(),
        badge=_BADGES.get(Season.Status(season.status), "outline"),
        role=SeasonRole.Role(role.role).label,
        where=f"{counted.members} in the cast" if is_draft else f"{counted.still_in} of {counted.members} are still in",
        until=None if due is None else season.instant(due),
        verb="the site draws an opponent",
        needs=(*needs, *more),
        site=season.get_absolute_url() if season.is_public else "",
    )
