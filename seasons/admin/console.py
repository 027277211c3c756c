"""One season's admin page (tasks, commands, cast, matches), and its log and ledger in words."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.marks import told_apart
from matches.admin import console as of_matches
from matches.admin import formats, sent_forms
from matches.admin.commands.base import Sentences
from matches.admin.invitations_page import Invitations
from matches.admin.players_table import check_table
from matches.engine.core import GARNET
from matches.engine.sentences import asset_name, joined
from matches.models import Role
from matches.models.ledger import units
from matches.services.commands import Payload
from matches.services.errors import Refused
from matches.services.roles import roles_of
from seasons.admin.commands import COMMANDS
from seasons.admin.next_match import duels
from seasons.admin.season_form import as_of, cast_table, settings_form, why_refused
from seasons.engine.commands import VERBS
from seasons.engine.sentences import REASONS
from seasons.engine.state import LEAST_CAST, SeasonState, account, shown_blood
from seasons.models import Application, Member, Season, SeasonEntry, SeasonNews, SeasonRow
from seasons.queries import standing
from seasons.queries.access import open_places, sent_in
from seasons.services.applications import call_of
from seasons.services.cast import change_cast, check_cast
from seasons.services.drafts import FIXED, OUTDATED, mark_of_cast
from seasons.services.invitations import invitation_of, renew_invitation, revoke, send_again
from seasons.web.extensions import FINAL, NEXT, asked_of_hosts, needs_in


class Entry(NamedTuple):
    """An entry of the ledger in words."""

    at: str
    what: str
    giver: str
    receiver: str
    why: str


def rows_of(season: Season, first: int, most: int) -> list[of_matches.LogLine]:
    """Return rows of the log in words, the latest first, skipping `first` of them."""
    titles, rows = standing.titles_of(season), list(season.log.order_by("-number")[first : first + most])
    drawn = set(SeasonNews.objects.filter(row__in=rows, kind="death_match").values_list("row_id", flat=True))
    return [_log_line(row, titles, is_draw=row.pk in drawn) for row in rows]


def entries_of(season: Season, first: int, most: int) -> list[Entry]:
    """Return entries of the ledger in words, the latest first, skipping `first` of them."""
    found = season.ledger.select_related("giver", "receiver", "match__match").order_by("-pk")
    return [_entry(entry) for entry in found[first : first + most]]


def _log_line(row: SeasonRow, titles: Mapping[str, str], *, is_draw: bool) -> of_matches.LogLine:
    """One log row in words. `is_draw`: this deadline was for naming an opponent, so one was drawn."""
    payload = json.loads(row.payload)
    for name in ("match", "settle"):  # shown by their titles
        if isinstance(key := payload.get(name), str):
            payload[name] = f"“{titles.get(key, key)}”"
    said = _SENTENCES["drawn" if row.kind == SeasonRow.Kind.DEADLINE and is_draw else _name_of(row, payload)](payload)
    reason = str(payload.get("reason") or "").strip()
    who = row.actor.partition(":")[2] or row.actor
    return of_matches.LogLine(formats.local(row.received_at), who, f"{said}: {reason}" if reason else said)


def _name_of(row: SeasonRow, payload: Payload) -> str:
    """The name of a row's sentence: a command's verb, or else the row's kind."""
    return next(verb for verb in VERBS if verb in payload) if row.kind == SeasonRow.Kind.COMMAND else row.kind


def _entry(entry: SeasonEntry) -> Entry:
    place = f"“{entry.match.match.title}”" if entry.match else "the bank"
    why = REASONS.get(entry.reason, entry.reason)
    return Entry(
        formats.local(entry.at),
        units(entry.asset, entry.amount),
        entry.giver.handle if entry.giver else place,
        entry.receiver.handle if entry.receiver else place,
        f"{why}: {entry.note}" if entry.note else why,
    )


def _over(payload: Payload) -> str:
    result = payload["result"]
    if result.get("cancelled"):
        return f"{payload['match']} was cancelled"
    if not result.get("winners"):
        return f"{payload['match']} is over, and nobody won"
    return f"{payload['match']} is over, won by {joined(result['winners'])}"


_SENTENCES: Sentences = {
    **{name: said for command in COMMANDS.values() for name, said in command.said.items()},
    SeasonRow.Kind.MATCH_OPENED: lambda payload: f"{payload['match']} opened with {joined(payload['players'])}",
    SeasonRow.Kind.PREGAME_OVER: lambda payload: (
        f"The pregame of {payload['match']} is over, and blood garnets grow from now on"
    ),
    SeasonRow.Kind.MATCH_OVER: _over,
    SeasonRow.Kind.DEADLINE: lambda payload: "Blood garnets grew by a tenth",
    "drawn": lambda payload: "The site drew an opponent",
    "gift": lambda payload: f"Gave {payload['gift']['to']} {asset_name(GARNET, payload['gift']['amount'])}",
    SeasonRow.Kind.TALK: lambda payload: payload["said"][:1].upper() + payload["said"][1:],
    SeasonRow.Kind.OUTAGE: lambda payload: (
        f"The site was down from {payload['from']} until {payload['to']}, so "
        f"the time to name an opponent now ends {payload['ends']}"
    ),
}


# -- the page: tasks of the hosts, commands, cast, matches, log ----------------------------------------------

BADGES = {Season.Status.DRAFT: "outline", Season.Status.RUNNING: "jade", Season.Status.ENDED: "outline"}
_LAST_ROWS = 12


def show(model_admin: Any, request: HttpRequest, season: Season, role: Role) -> HttpResponse:
    """Show the page; a POST saves the table of the cast, if the season has not begun."""
    acts, is_draft = role.acts, season.status == Season.Status.DRAFT
    sent = request.method == "POST"
    if sent and not is_draft:
        messages.error(request, FIXED)
        return redirect("admin:seasons_season_change", season.pk)
    mark = mark_of_cast(season) if is_draft else ""  # before the table is read, so that it is never newer
    table = cast_table(season, request.POST if sent else None) if is_draft and acts else None
    if table is not None and sent_forms.is_check(request):
        return check_table(table, lambda changes: check_cast(season, request.user, changes))
    if sent and _save(request, season, table):
        wanted = request.POST.get("then", "")
        if table is not None and (not wanted or table.has_changed()):
            messages.success(request, "You have saved the cast.")
        if wanted in COMMANDS:
            return redirect("admin:seasons_season_command", season.pk, wanted)
        return redirect(reverse("admin:seasons_season_change", args=[season.pk]) + "#cast")
    context = {**model_admin.page(request, season.title, season), **_context(request, season, role), "table": table}
    context["as_of"] = as_of(request, mark, outdated=getattr(table, "outdated", False))
    for form in table.forms if table is not None else ():
        form.link = context["links"].get(form.listed.pk) if form.listed else None
    return render(request, "admin/seasons/season/console.html", context)


def _save(request: HttpRequest, season: Season, table: Any) -> bool:
    """Save the cast; return whether it worked. If not, the table shows why."""
    if table is None or not table.is_valid():
        return False
    try:
        change_cast(season, request.user, table.changes(), seen=request.POST.get(sent_forms.FIELD, ""))
    except Refused as refusal:
        differing = [form.listed.handle for form in table.forms if form.listed and form.has_changed()]
        table.refused, table.outdated = why_refused(refusal, differing), refusal.code == OUTDATED
        return False
    return True


def applications(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """Show all applications with their answers, waiting ones first, and the form to decide on them."""
    order, command = list(Application.Status), COMMANDS["decide"]
    fields = {each.name: each for each in command.form(season, request.user)} if command.may(season) else {}
    sent = season.applications.select_related("user", "member").order_by("sent_at", "pk")
    found = sorted(sent, key=lambda each: order.index(Application.Status(each.status)))
    context = {
        **model_admin.page(request, "Applications", season),
        "applications": [(each, fields.get(f"what-{each.pk}")) for each in found],
        "decides": bool(fields),
        "call": call_of(season),
        "link": request.build_absolute_uri(reverse("seasons:apply", args=[season.public_id])),
    }
    return render(request, "admin/seasons/season/applications.html", context)


def _context(request: HttpRequest, season: Season, role: Role) -> dict[str, Any]:
    state = season.decoded()
    acts = role.acts
    asked = asked_of_hosts(season, state)
    # The page of applications has its own form for that.
    possible = [
        each for each in COMMANDS.values() if each.name != "decide" and each.for_role(role) and each.may(season)
    ]
    names = {each.command for each in asked if state}
    wanted = [each.name for each in possible if state is None or each.name in names]
    next_first = any(need in (NEXT, FINAL) for need in asked)
    problems = []
    if state is None and (count := season.cast.count()) < LEAST_CAST:
        problems = [f"The season needs at least {LEAST_CAST} members, but has only {count}."]
    links = {member.pk: link for member, link in OF_A_SEASON.links(request, season).items()} if acts else {}
    return {
        "role": role,
        "acts": acts,
        "badge": BADGES[Season.Status(season.status)],
        "state": state,
        "going_on": standing.going_on(season, state),
        "people": {line.handle: line for line in standing.standings(season, state)},
        "asked": [each for each in asked if not (problems and each.command == "begin")],
        "needs": needs_in(request.user, [season])[season.pk],
        "duels": duels() if any(need.for_two for need in asked) else [],
        "problems": problems,
        "commands": sorted(possible, key=lambda each: each.name not in names),
        "may_add": acts and season.status == Season.Status.RUNNING,
        "next_first": next_first,
        "primary": wanted[0] if wanted and not next_first and not problems else "",
        "roles": roles_of(season),
        "lines": _lines(season, state, links) if state else [],
        "seen": season.cast.select_related("user") if state is None and not acts else None,
        "links": links,
        "matches": season.matches.select_related("match").order_by("number"),
        "match_badges": of_matches.BADGES,
        "applied": season.applications.count() if acts else 0,
        "call": call_of(season) if acts else None,
        "settings": [(field.label, _value(field)) for field in settings_form(season)],
        "log": rows_of(season, 0, _LAST_ROWS),
        "ledger": entries_of(season, 0, _LAST_ROWS),
        "seed": season.seed if season.status == Season.Status.ENDED else "",
    }


def _value(field: Any) -> str:
    """A setting in words: its value, or the default."""
    choices = dict(getattr(field.field, "choices", ()))
    value = field.value() or ""
    if choices:
        return str(choices.get(value, value)).removeprefix("As usual: ")
    return str(value or field.field.widget.attrs.get("placeholder", ""))


def _lines(season: Season, state: SeasonState, links: dict[int, str]) -> list[dict[str, Any]]:
    """The members as hosts may see them. `inside`: the title of the match they are in. What they brought there counts
    as theirs, so that the page does not reveal what they do with it."""
    titles = {each.key: each.match.title for each in season.matches.select_related("match")}
    brought = {handle: (match.key, amounts) for match in state.matches for handle, amounts in match.brought.items()}
    lines = []
    cast = list(season.cast.select_related("user"))
    marks = told_apart(each.user.own_mark if each.user else None for each in cast)
    for mark, member in zip(marks, cast, strict=True):
        purse = account(state.purses, member.handle)
        key, amounts = brought.get(member.handle, ("", None))
        lines.append(
            {
                "member": member,
                "mark": mark,
                "garnet": int(purse["garnet"]) + (amounts.garnet if amounts else 0),
                "priority": int(purse["priority"]) + (amounts.priority if amounts else 0),
                "blood": shown_blood(str(purse["blood_garnet"])),
                "inside": titles.get(key, ""),
                "link": links.get(member.pk, ""),
            }
        )
    order = {Member.Status.IN: 0, Member.Status.OUT: 1, Member.Status.WITHDRAWN: 2}
    return sorted(lines, key=lambda each: (order[each["member"].status], each["member"].place or 0))


# -- invitations ---------------------------------------------------------------------------------------------

OF_A_SEASON = Invitations(
    open_places,
    invitation_of,
    "season_invitations:invitation",
    lambda season, member: (f"Your place in the season “{season}”. You keep this handle in all its matches.",),
    sent_in,
    *(COMMANDS["invite"].may, renew_invitation, send_again, revoke),
)
