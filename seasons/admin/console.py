"""One season's page in the console (what is asked, commands, cast, matches), and its log and ledger in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from matches.admin import formats, sent_forms
from matches.admin.commands.people import roles_changed
from matches.admin.invitations_page import Invitations
from matches.admin.players_table import check_table
from matches.engine.sentences import joined
from matches.models import Match, Role
from matches.queries.amounts import units
from matches.services.errors import Refused
from seasons.admin.commands import COMMANDS
from seasons.admin.season_form import cast_table, settings_form
from seasons.engine.sentences import REASONS
from seasons.engine.state import LEAST_CAST, SeasonState, account, blood_units, shown_blood
from seasons.models import Member, Season, SeasonEntry, SeasonNews, SeasonRow
from seasons.pages.additions import NEXT, asked_of_hosts
from seasons.queries import standing
from seasons.queries.access import open_places, sent_in
from seasons.services.cast import change_cast, check_cast
from seasons.services.invitations import invitation_of, renew_invitation, revoke, send_again
from seasons.services.roles import roles_of

Titles = Mapping[str, str]
Payload = Mapping[str, Any]


class LogLine(NamedTuple):
    """A row of the log in words."""

    at: str
    who: str
    what: str


class Entry(NamedTuple):
    """An entry of the ledger in words."""

    at: str
    what: str
    giver: str
    receiver: str
    why: str


def rows_of(season: Season, first: int, most: int) -> list[LogLine]:
    """Rows of the log, the latest first, from the `first` on (counted from 0)."""
    titles, rows = _titles(season), list(season.log.order_by("-number")[first : first + most])
    drawn = set(SeasonNews.objects.filter(row__in=rows, kind="death_match").values_list("row_id", flat=True))
    return [_log_line(row, titles, is_draw=row.pk in drawn) for row in rows]


def entries_of(season: Season, first: int, most: int) -> list[Entry]:
    """Entries of the ledger, the latest first, likewise."""
    found = season.ledger.select_related("giver", "receiver", "match__match").order_by("-pk")
    return [_entry(entry) for entry in found[first : first + most]]


def _titles(season: Season) -> dict[str, str]:
    return {str(number): title for number, title in season.matches.values_list("number", "match__title")}


def _log_line(row: SeasonRow, titles: Titles, *, is_draw: bool) -> LogLine:
    """`is_draw`: this deadline was that of naming an opponent, so one was drawn."""
    payload = json.loads(row.payload)
    said = _DRAWN if row.kind == SeasonRow.Kind.DEADLINE and is_draw else _SENTENCES[row.kind](payload, titles)
    reason = str(payload.get("reason") or "").strip()
    who = row.actor.partition(":")[2] or row.actor
    return LogLine(formats.local(row.received_at), who, f"{said}: {reason}" if reason else said)


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


_DRAWN = "An opponent was drawn"

# -- sentences -----------------------------------------------------------------------------------------


def _title_in(key: Any, titles: Titles) -> str:
    return f"“{titles.get(str(key), key)}”"


def _blood(payload: Payload, titles: Titles) -> str:
    if payload["match"] is None:
        return "Blood garnets no longer grow"
    return f"Blood garnets grow from the pregame of {_title_in(payload['match'], titles)}"


def _over(payload: Payload, titles: Titles) -> str:
    result = payload["result"]
    if result.get("cancelled"):
        return f"{_title_in(payload['match'], titles)} was cancelled"
    winners = joined(result["winners"]) if result.get("winners") else "nobody"
    return f"{_title_in(payload['match'], titles)} is over, won by {winners}"


def _person(payload: Payload, titles: Titles) -> str:
    who = "a bot" if payload["is_bot"] else payload["username"] or "nobody yet"
    return f"{payload['player']} is {who}"


def _corrected(payload: Payload, titles: Titles) -> str:
    what = payload["correct"]
    amount = what["amount"]
    stored = blood_units(amount) if what["asset"] == "blood_garnet" else int(amount)
    verb, to = ("Gave", "to") if stored > 0 else ("Took", "from")
    return f"{verb} {units(what['asset'], abs(stored))} {to} {what['player']}"


_COMMANDS: dict[str, Callable[[Payload, Titles], str]] = {
    "name_opponent": lambda payload, titles: f"Named {payload['name_opponent']} as the opponent",
    "draw_opponent": lambda payload, titles: "Let the opponent be drawn",
    "take_back": lambda payload, titles: "Took back the booking of the Death Match",
    "death_match": lambda payload, titles: f"Booked that {payload['death_match']['loser']} lost the Death Match",
    "correct": _corrected,
    "out": lambda payload, titles: f"Booked that {payload['out']} goes out",
    "withdraw": lambda payload, titles: f"Booked that {payload['withdraw']} withdraws",
    "settle": lambda payload, titles: (
        "Confirmed the settlement"
        + ("" if payload["settle"] is True else f" of {_title_in(payload['settle'], titles)}")
    ),
    "end": lambda payload, titles: "Ended the season",
}


def _command(payload: Payload, titles: Titles) -> str:
    return next(said(payload, titles) for verb, said in _COMMANDS.items() if verb in payload)


_SENTENCES: dict[str, Callable[[Payload, Titles], str]] = {
    SeasonRow.Kind.BEGIN: lambda payload, titles: f"The season began; SHA-256 of its seed: {payload['seed_hash']}",
    SeasonRow.Kind.MATCH_OPENED: lambda payload, titles: (
        f"{_title_in(payload['match'], titles)} opened with {joined(payload['players'])}"
    ),
    SeasonRow.Kind.PREGAME_OVER: lambda payload, titles: (
        f"The pregame of {_title_in(payload['match'], titles)} is over; blood garnets grow from then on"
    ),
    SeasonRow.Kind.MATCH_OVER: _over,
    SeasonRow.Kind.DEADLINE: lambda payload, titles: "Blood garnets grew by a tenth",
    SeasonRow.Kind.COUNT_BLOOD: _blood,
    SeasonRow.Kind.COMMAND: _command,
    SeasonRow.Kind.PERSON: _person,
    SeasonRow.Kind.ROLES: lambda payload, titles: roles_changed(payload),
    SeasonRow.Kind.OUTAGE: lambda payload, titles: (
        f"The site did not work from {payload['from']} until {payload['to']}: "
        f"an opponent can be named until {payload['ends']}"
    ),
}


# -- console ---------------------------------------------------------------------------------------------
# One season's page in the console: what is asked of its hosts, the commands, the cast, the matches, the log.

BADGES = {Season.Status.DRAFT: "outline", Season.Status.RUNNING: "jade", Season.Status.ENDED: "outline"}
_MATCH_BADGES: dict[str, str] = {
    Match.Status.OPEN: "jade",
    Match.Status.PAUSED: "brass",
    Match.Status.SCHEDULED: "brass",
}
_LAST_ROWS = 12


def show(model_admin: Any, request: HttpRequest, season: Season, role: Role) -> HttpResponse:
    """The page; a POST saves the table of the cast, if the season has not begun."""
    acts, is_draft = role.acts, season.status == Season.Status.DRAFT
    sent = request.method == "POST"
    if sent and not is_draft:
        messages.error(request, "The season has begun; its cast is fixed.")
        return redirect("admin:seasons_season_change", season.pk)
    typed = request.POST if sent else sent_forms.take(request)
    table = cast_table(season, typed) if is_draft and acts else None
    if table is not None and sent_forms.is_check(request):
        return check_table(table, lambda changes: check_cast(season, request.user, changes))
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


def _context(request: HttpRequest, season: Season, role: Role) -> dict[str, Any]:
    state = standing.state_of(season)
    acts = role.acts
    asked = asked_of_hosts(season, state)
    possible = [each for each in COMMANDS.values() if each.for_role(role) and each.may(season)]
    wanted = [each.name for each in possible if state is None or each.is_asked(season)]
    next_first = any(need == NEXT for need in asked)
    links = {member.pk: link for member, link in OF_A_SEASON.links(request, season).items()} if acts else {}
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
        "commands": sorted(possible, key=lambda each: not each.is_asked(season)),
        "may_add": acts and season.status == Season.Status.RUNNING,
        "next_first": next_first,
        "primary": wanted[0] if wanted and not next_first else "",
        "roles": roles_of(season),
        "lines": _lines(season, state, links) if state else [],
        "seen": season.cast.select_related("user") if state is None and not acts else None,
        "links": links,
        "matches": _matches(season),
        "settings": [(field.label, _value(field)) for field in settings_form(season)],
        "log": rows_of(season, 0, _LAST_ROWS),
        "ledger": entries_of(season, 0, _LAST_ROWS),
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


# -- invitations ---------------------------------------------------------------------------------------


def _invitation_words(season: Season, member: Member) -> tuple[str, ...]:
    return (f"Your place in the season “{season}”. You keep this handle in all its matches.",)


OF_A_SEASON = Invitations(
    *(open_places, invitation_of, "season_invitations:invitation", _invitation_words, sent_in),
    *(COMMANDS["invite"].may, renew_invitation, send_again, revoke),
)
