"""One match's page in the console: its state, what is missing, the commands, the players and the log."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.marks import told_apart
from matches.admin import formats, sent_forms
from matches.admin.commands import COMMANDS, amending, decisions, places
from matches.admin.commands.acting import PREFIX
from matches.admin.commands.publishing import at_the_start
from matches.admin.invitations_page import OF_A_MATCH
from matches.admin.match_form import ConfigForm
from matches.admin.players_table import SENTENCES, check_table, players_table
from matches.admin.record_lists import row_in_words
from matches.engine.core import BLOOD_GARNET, FINISHED, GARNET, PRIORITY, TOL
from matches.engine.settings import Choice, Data, Flag, Span
from matches.engine.views import PrivateView
from matches.models import Match, Player, Role, Submission, clock, ledger
from matches.models.ledger import shown_amount
from matches.pages.texts import in_real_words
from matches.queries import matches as match_queries
from matches.queries.access import is_legible, is_open
from matches.queries.announcements import questions_for_hosts
from matches.queries.match_info import fixed_in
from matches.queries.matches import Position
from matches.queries.places import absences
from matches.services import hosting, opening
from matches.services.belonging import group_of
from matches.services.creation import add_bots
from matches.services.errors import CommandRefused
from matches.services.joining import PLAYERS_FIXED
from matches.services.opening import open_count
from matches.services.questions import open_questions
from matches.services.roles import roles_of
from matches.services.roster import change_players, check_players, deal_teams

BADGES: dict[str, str] = {
    Match.Status.DRAFT: "outline",
    Match.Status.SCHEDULED: "brass",
    Match.Status.OPEN: "jade",
    Match.Status.PAUSED: "brass",
    Match.Status.FINISHED: "outline",
    Match.Status.CANCELLED: "outline",
}
_LAST_ROWS = 12
_NEXT_PAGES = ("settings", "preview", "names", "invitations", "duplicate", "rehearsals")


def show(model_admin: Any, request: HttpRequest, match: Match, role: Role) -> HttpResponse:
    """Show the page; a POST saves the table of players, if the match has not begun."""
    roles = roles_of(match)
    before, sent = match.status in Match.BEFORE, request.method == "POST"
    if sent and not before:
        messages.error(request, PLAYERS_FIXED)
        return redirect("admin:matches_match_change", match.pk)
    typed = request.POST if sent else None
    table = players_table(match, typed) if before and role.acts else None
    if table is not None and sent_forms.is_check(request):
        return check_table(table, lambda changes: check_players(match, changes))
    if sent and _save(request, match, table):
        return _after_saving(request, match)
    context = {
        **model_admin.page(request, match.title, match),
        **_context(request, match, before, role),
        "roles": roles,
        "table": table,
        "as_of": match.log_count if getattr(table, "outdated", "") else sent_forms.as_of(match, typed),
    }
    if table is not None:
        for form in table.forms:
            form.link = context["links"].get(form.listed.pk) if form.listed else None
    return render(request, "admin/matches/match/console.html", context)


def _after_saving(request: HttpRequest, match: Match) -> HttpResponse:
    """Go to where the button leads: to the table again, or to the next step, such as publishing."""
    rows = match.log_count
    match.refresh_from_db(fields=["log_count"])
    wanted = request.POST.get("then", "")
    if match.log_count > rows or not wanted:
        messages.success(request, "You have saved the players.")
    # With an empty fragment: else the browser keeps that of the form, and scrolls past what the next page says.
    if wanted in _NEXT_PAGES:
        return redirect(reverse(f"admin:matches_match_{wanted}", args=[match.pk]) + "#")
    if wanted in COMMANDS:
        return redirect(reverse("admin:matches_match_command", args=[match.pk, wanted]) + "#")
    return redirect(reverse("admin:matches_match_change", args=[match.pk]) + "#players")


def _save(request: HttpRequest, match: Match, table: Any) -> bool:
    """Save the players, and deal teams or add bots if asked, all or nothing. Return False if not; then the page shows
    why."""
    if not table.is_valid():
        return False

    def save() -> None:
        change_players(match, request.user, table.changes())
        if way := request.POST.get("teams"):
            deal_teams(match, request.user, way)
        if "bots" in request.POST:
            add_bots(match, request.user, match.rules.sizes.usual[0])

    try:
        table.outdated = table.refused = sent_forms.unless_by_others(request, match, SENTENCES, save)
    except CommandRefused as refusal:
        table.refused = refusal.message
    return not table.refused


def _context(request: HttpRequest, match: Match, before: bool, role: Role) -> dict[str, Any]:
    """The context of the page, except the table of players."""
    position = Position(match)
    legible = is_legible(match)
    links = {each.pk: link for each, link in OF_A_MATCH.links(request, match).items()} if role.acts else {}
    lines = [] if before or not legible else _lines(match, position, links)
    open_decisions = decisions.open_decisions(match) if legible and match.status == Match.Status.OPEN else []
    latest = list(match.log.select_related("player").order_by("-number")[:_LAST_ROWS])
    fitting = {
        "decide": bool(open_decisions),
        "undo": amending.is_possible(latest),
        "remind": legible and match.rules.is_known and bool(hosting.who_is_missing(match)),
    }
    commands = [
        each
        for each in COMMANDS.values()
        if each.for_role(role) and fitting.get(each.name, True) and each.may(match) and not each.beside
    ]
    more = [each for each in commands if not before and not each.often]
    waits_for = position.hosts_asked if legible and match.status == Match.Status.OPEN else None
    may_preview = match.status in (*Match.BEFORE, *Match.RUNNING)
    return {
        "belongs_to": group.desk() if (group := group_of(match)) else None,
        "seen": match.players.select_related("user") if before and not role.acts else None,
        "badge": BADGES[match.status],
        "now": clock.now(),
        "stands": _stands(position) if legible and not match.is_over else "",
        "legible": legible,
        "problems": opening.problems(match) if before else [],
        "open_places": at_the_start(match, match.open_places) if before and open_count(match) else [],
        "warnings": opening.warnings(match) if before else (),
        "commands": [each for each in commands if before or each.often],
        "more_commands": more,
        "role": role,
        "may_preview": may_preview,
        "has_more": bool(more) or may_preview,
        "lines": lines,
        "has_links": any(line.link for line in lines),
        "usual_places": match.rules.sizes.usual[0],
        "fixed": fixed_in(match),
        "assets": [] if not lines else [ledger.asset_word(asset) for asset in _assets(match)],
        "links": links,
        "settings": _settings(match),
        "config": ConfigForm(match.rules, match.config),
        "decisions": open_decisions,
        "waits_for": waits_for,
        "primary": next(
            (each.name for each in commands if waits_for and each.often and each.name.startswith(PREFIX)), ""
        ),
        "questions": questions_for_hosts(match),
        "open_questions": open_questions(match),
        "log": [_log_line(row, match) for row in latest],
        "peeks": [_log_line(row, match) for row in match_queries.host_looks(match).order_by("-number")[:50]],
        "seed": match.seed if match.is_over else "",
    }


def _stands(position: Position) -> str:
    """Where the match stands, in the game's words; empty if there is nothing to say beyond the status."""
    public = position.public
    if public is None or public.phase == FINISHED:
        return ""
    return position.match.rules.progress(public).where


class Line(NamedTuple):
    """A player of a match that has begun. `submitted` is None if nothing sealed is asked for."""

    player: Player
    mark: int
    holdings: list[str]
    in_debt: bool
    submitted: bool | None
    asked: list[str]
    link: str | None
    away: str
    """The absence in words; empty without one."""


def _assets(match: Match) -> list[str]:
    """The assets with public balances, which are the columns of the table."""
    assets = match.players.filter(holdings__isnull=False).values_list("holdings__asset", flat=True)
    held = {asset for asset in assets if is_open(match, asset)}
    order = (*match.rules.assets, GARNET, PRIORITY, TOL, BLOOD_GARNET)
    return sorted(held, key=lambda asset: (order.index(asset) if asset in order else len(order), asset))


def _lines(match: Match, position: Position, links: dict[int, str]) -> list[Line]:
    assets = _assets(match)
    lines = []
    players = match.players.select_related("user").prefetch_related("holdings").order_by("position", "pk")
    away = {each.player: places.shown(each) for each in absences(match)}
    marks = told_apart(each.user.own_mark if each.user else None for each in players)
    for mark, player in zip(marks, players, strict=True):
        held = {holding.asset: holding.amount for holding in player.holdings.all()}
        private = position.private_of(player)
        lines.append(
            Line(
                player,
                mark,
                [ledger.plain_amount(shown_amount(asset, held.get(asset, 0))) for asset in assets],
                held.get(GARNET, 0) < 0,
                position.has_submitted(player),
                _asked(private) if match.status == Match.Status.OPEN else [],
                links.get(player.pk),
                away.get(player.handle, ""),
            )
        )
    return lines


def _asked(private: PrivateView | None) -> list[str]:
    """What a player is asked now, without repetitions."""
    return list(dict.fromkeys(decisions.asked_in_words(ask) for ask in (private.asked if private else ())))


class Setting(NamedTuple):
    """A setting of the match; `own` if the host has set it."""

    label: str
    value: str
    own: bool


def _settings(match: Match) -> list[Setting]:
    """The settings in words, except those that the game's own fields show."""
    settings = match.rules.settings
    try:
        config = match.rules.read_config(match.config)
    except ValueError:
        return []
    shown = []
    for setting in settings:
        value = getattr(config, setting.key)
        if isinstance(setting, Data):
            continue
        if isinstance(setting, Span):
            text = in_real_words(value, match.speed)
        elif isinstance(setting, Flag):
            text = "yes" if value else "no"
        else:
            text = setting.words[value] if isinstance(setting, Choice) else str(value)
        shown.append(Setting(setting.label, text, setting.key in match.config))
    return shown


class LogLine(NamedTuple):
    """A row of the log in words."""

    at: str
    who: str
    what: str


def _log_line(row: Submission, match: Match) -> LogLine:
    return LogLine(formats.local(row.received_at), row.actor.partition(":")[2] or row.actor, row_in_words(row, match))
