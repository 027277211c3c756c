"""One season's page in the console: what is asked of its hosts, the commands, the cast, the matches, the log."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import checks, unsaved
from matches.models import Match
from matches.services.errors import Refused
from seasons.admin import invitations_page, log_rows
from seasons.admin.cast_table import cast_table
from seasons.admin.commands.registry import COMMANDS
from seasons.admin.season_form import settings_form
from seasons.engine.amounts import shown_blood
from seasons.engine.state import LEAST_CAST, SeasonState, account
from seasons.models import Member, Season, SeasonRole
from seasons.pages.desk import NEXT, asked_of_hosts
from seasons.queries import standing
from seasons.services.cast import change_cast, check_cast
from seasons.services.roles import roles_of

BADGES = {Season.Status.DRAFT: "outline", Season.Status.RUNNING: "jade", Season.Status.ENDED: "outline"}
_MATCH_BADGES: dict[str, str] = {
    Match.Status.OPEN: "jade",
    Match.Status.PAUSED: "brass",
    Match.Status.SCHEDULED: "brass",
}
_LAST_ROWS = 12


def show(model_admin: Any, request: HttpRequest, season: Season, role: str) -> HttpResponse:
    """The page; a POST saves the table of the cast, if the season has not begun."""
    acts, is_draft = role in SeasonRole.ACTING, season.status == Season.Status.DRAFT
    sent = request.method == "POST"
    if sent and not is_draft:
        messages.error(request, "The season has begun; its cast is fixed.")
        return redirect("admin:seasons_season_change", season.pk)
    typed = request.POST if sent else unsaved.take(request)
    table = cast_table(season, typed) if is_draft and acts else None
    if table is not None and checks.is_check(request):
        return _check(request, season, table)
    if sent and _save(request, season, table):
        messages.success(request, "The cast is saved.")
        wanted = request.POST.get("then", "")
        if wanted in COMMANDS:
            return redirect("admin:seasons_season_command", season.pk, wanted)
        return redirect(reverse("admin:seasons_season_change", args=[season.pk]) + "#cast")
    context = {**model_admin.page(request, season.title, season), **_context(request, season, role), "table": table}
    for form in table.forms if table is not None else ():
        form.link = context["links"].get(form.listed.pk) if form.listed else None
    return render(request, "admin/seasons/season/console.html", context)


def _save(request: HttpRequest, season: Season, table: Any) -> bool:
    """Save the cast; whether it worked. If not, the table shows the reason."""
    if table is None or not table.is_valid():
        return False
    try:
        change_cast(season, request.user, table.changes())
    except Refused as refusal:
        table.refused = refusal.message
        return False
    return True


def _check(request: HttpRequest, season: Season, table: Any) -> HttpResponse:
    """What is wrong with the table as it is typed now."""
    refused = ""
    if table.is_valid():
        try:
            check_cast(season, request.user, table.changes())
        except Refused as refusal:
            refused = refusal.message
    return checks.answer(table.forms, *table.non_form_errors(), refused)


class Line(NamedTuple):
    """A member as hosts may know them. `inside`: the title of the match they are in; what they brought there counts as
    theirs, and what they do with it stays hidden."""

    member: Member
    number: int
    garnet: int
    priority: int
    blood: str
    inside: str
    link: str


class MatchLine(NamedTuple):
    """A match of the season, with what its hosts can do next."""

    number: int
    match: Match
    game_title: str
    badge: str
    stands: str
    is_death_match: bool


def _context(request: HttpRequest, season: Season, role: str) -> dict[str, Any]:
    state = standing.state_of(season)
    acts = role in SeasonRole.ACTING
    asked = asked_of_hosts(season, state)
    possible = [each for each in COMMANDS.values() if each.for_role(role) and each.suits(season, state)]
    wanted = [each.name for each in possible if state is None or each.is_asked(state)]
    next_first = any(need == NEXT for need in asked)
    links = {member.pk: link for member, link in invitations_page.links(request, season).items()} if acts else {}
    return {
        "season": season,
        "role": role,
        "acts": acts,
        "badge": BADGES[Season.Status(season.status)],
        "state": state,
        "going_on": standing.going_on(season, state),
        "people": {line.handle: line for line in standing.standings(season, state)},
        "asked": asked,
        "problems": _problems(season) if state is None else [],
        "commands": sorted(possible, key=lambda each: not each.is_asked(state)),
        "may_add": acts and season.status == Season.Status.RUNNING,
        "next_first": next_first,
        "primary": wanted[0] if wanted and not next_first else "",
        "roles": roles_of(season),
        "lines": _lines(season, state, links) if state else [],
        "seen": season.cast.select_related("user") if state is None and not acts else None,
        "links": links,
        "matches": _matches(season),
        "settings": [(field.label, _value(field)) for field in settings_form(season)],
        "log": log_rows.rows_of(season, 0, _LAST_ROWS),
        "ledger": log_rows.entries_of(season, 0, _LAST_ROWS),
        "seed": season.seed if season.status == Season.Status.ENDED else "",
    }


def _problems(season: Season) -> list[str]:
    count = season.cast.count()
    return [f"It needs at least {LEAST_CAST} members, and has {count}."] if count < LEAST_CAST else []


def _value(field: Any) -> str:
    """A setting in words: what is set, else what is usual."""
    choices = dict(getattr(field.field, "choices", ()))
    value = field.value() or ""
    if choices:
        return str(choices.get(value, value)).removeprefix("As usual: ")
    return str(value or field.field.widget.attrs.get("placeholder", ""))


def _lines(season: Season, state: SeasonState, links: dict[int, str]) -> list[Line]:
    titles = {each.key: each.match.title for each in season.matches.select_related("match")}
    brought = {handle: (match.key, amounts) for match in state.matches for handle, amounts in match.brought.items()}
    lines = []
    for number, member in enumerate(season.cast.select_related("user")):
        purse = account(state.purses, member.handle)
        key, amounts = brought.get(member.handle, ("", None))
        lines.append(
            Line(
                member,
                number,
                int(purse["garnet"]) + (amounts.garnet if amounts else 0),
                int(purse["priority"]) + (amounts.priority if amounts else 0),
                shown_blood(str(purse["blood_garnet"])),
                titles.get(key, ""),
                links.get(member.pk, ""),
            )
        )
    order = {Member.Status.IN: 0, Member.Status.OUT: 1, Member.Status.WITHDRAWN: 2}
    return sorted(lines, key=lambda each: (order[Member.Status(each.member.status)], each.member.place or 0))


def _matches(season: Season) -> list[MatchLine]:
    lines = []
    for each in season.matches.select_related("match").order_by("number"):
        match = each.match
        stands = "settled" if each.settled_at else "not settled yet" if each.over_at else ""
        badge = _MATCH_BADGES.get(match.status, "outline")
        lines.append(MatchLine(each.number, match, match.rules.title, badge, stands, each.is_death_match))
    return lines
