"""Pages for a season's next match: first its type, with how well each fits, then its players; the rest is filled in.
Players bring what they have when the match opens, so nobody types amounts."""

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from matches.admin import formats
from matches.admin.commands.base import one_time_key
from matches.admin.fields import LineField
from matches.engine.errors import ConfigError, Rejected
from matches.engine.game import AnyGame
from matches.engine.sentences import counted, joined
from matches.games.registry import UnknownGame, all_games, game_of
from matches.models import Match
from matches.services.errors import Refused
from seasons.engine.commands import to_be_done
from seasons.engine.season import FINALISTS, Entry, check_players, config_in, due_players, entries_of
from seasons.engine.state import DEATH_MATCH, SeasonState, account
from seasons.models import Member, Season
from seasons.services.running import add_match, title_of_next

USUAL = "Usual settings"


# -- which types fit -----------------------------------------------------------------------------------------


class Preset(NamedTuple):
    """A preset of a match type, and how it fits a number of players: `fits` says it in words; `rank` is 0 if it is made
    for so many, 1 if it accepts them, 2 if it does not."""

    rank: int
    name: str
    fits: str


def choices_for(count: int) -> list[tuple[AnyGame, list[Preset]]]:
    """Return all match types for so many players, each with its presets, the best fitting first."""
    found = []
    for game in all_games().values():
        presets = [_fit(game, name, count) for name in game.presets or [USUAL]]
        found.append((game, sorted(presets, key=lambda preset: preset.rank)))
    return sorted(found, key=lambda choice: choice[1][0].rank)


def _fit(game: AnyGame, name: str, count: int) -> Preset:
    sizes = game.sizes
    if count < sizes.least:
        return Preset(2, name, f"too few players: it takes at least {sizes.least}")
    if count > sizes.most:
        return Preset(2, name, f"too many players: leave some out, it takes at most {sizes.most}")
    least, most = game.made_for(name)
    if least <= count <= most:
        return Preset(0, name, "fits")
    return Preset(1, name, f"possible, but made for {least if least == most else f'{least} to {most}'}")


def duels() -> list[dict[str, str]]:
    """Return the presets of types for exactly two players: the text of a link to each, and its query string."""
    return [
        {"text": f"{game.title}: {name}", "query": urlencode({"game": game.slug, "preset": name})}
        for game in all_games().values()
        if game.sizes.least == game.sizes.most == FINALISTS
        for name in game.presets
    ]


# -- the form ------------------------------------------------------------------------------------------------


class NextForm(forms.Form):
    """The title and players of a match. After `is_valid`, `entries` are the players."""

    title = LineField(label="Title", max_length=120, widget=forms.TextInput(attrs={"size": 40}))
    players = forms.MultipleChoiceField(
        label="Players", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose who plays."}
    )

    final = forms.BooleanField(
        label="This is the final",
        required=False,
        help_text="The loser is out, the winner takes first place, and the season ends.",
    )

    def __init__(self, season: Season, state: SeasonState, game: AnyGame, data: Any = None) -> None:
        self.state, self.game = state, game
        self.entries: list[Entry] = []
        super().__init__(data, initial={"title": title_of_next(season, game)}, use_required_attribute=False)
        names = {member.handle: member for member in season.cast.all()}
        busy, due = state.playing(), due_players(state)
        players: Any = self.fields["players"]
        players.choices = [(each, _described(names[each], state, each in busy)) for each in state.handles_in()]
        self.initial["players"] = list(due)
        takes_two = game.sizes.least <= FINALISTS <= game.sizes.most
        if state.phase != DEATH_MATCH and len(state.handles_in()) == FINALISTS and takes_two:
            self.initial["final"] = True
        else:
            del self.fields["final"]
        self._offer_teams(due)

    def _offer_teams(self, due: tuple[str, ...]) -> None:
        """Add a field for each player's team in types with teams. It starts with their team in the cast if the type has
        that team, or else the teams take turns."""
        teams = self.game.teams
        if not teams:
            return
        cast = {entry.handle: entry.team for entry in entries_of(self.state, self.game, [Entry(one) for one in due])}
        for number, handle in enumerate(self.state.handles_in()):
            self.fields[f"team-{handle}"] = forms.ChoiceField(
                label=f"Team of {handle}",
                choices=[(team, team.title()) for team in teams],
                initial=cast.get(handle) or teams[number % len(teams)],
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        chosen: list[str] = cleaned.get("players", [])
        self.entries = [Entry(handle, cleaned.get(f"team-{handle}") or None) for handle in chosen]
        return cleaned

    def check_open(self) -> None:
        """Add an error to the players if the season could not open the match now, before a draft is made."""
        handles = tuple(entry.handle for entry in self.entries)
        try:
            check_players(self.state, handles, is_final=self.cleaned_data.get("final", False))
        except Rejected as rejection:
            self.add_error("players", f"{rejection.message} Until then you can only create the draft.")


def _described(member: Member, state: SeasonState, is_busy: bool) -> str:
    """A member's name and what they would bring."""
    name = formats.called(member)
    if is_busy:
        return f"{name}: still in a match that must be settled first"
    purse = account(state.purses, member.handle)
    who = "bot, " if member.is_bot else "open place, " if member.is_open else ""
    return f"{name}: {who}{purse['garnet']} garnets, {purse['priority']} priority"


# -- the pages -----------------------------------------------------------------------------------------------


def show(model_admin: Any, request: HttpRequest, season: Season) -> HttpResponse:
    """Choose a type, then fill in its form; then go to the draft, its settings, or its publication."""
    state = season.decoded()
    if state is None or season.status != Season.Status.RUNNING:
        messages.error(request, "The season has not begun yet, or it has already ended.")
        return redirect("admin:seasons_season_change", season.pk)
    asked = request.POST or request.GET
    try:
        game = game_of(asked.get("game", ""))
    except UnknownGame:
        return _choose(model_admin, request, season, state)
    preset = asked.get("preset", "")
    if request.method != "POST":
        return _form(model_admin, request, season, state, NextForm(season, state, game), preset)
    form = NextForm(season, state, game, request.POST)
    if form.is_valid() and {"_settings", "_draft"}.isdisjoint(request.POST):
        form.check_open()
    if not form.is_valid():
        return _form(model_admin, request, season, state, form, preset)
    try:
        match = _make(request, season, form, game.presets.get(preset, {}))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return _form(model_admin, request, season, state, form, preset)
    if "_settings" in request.POST:
        return redirect("admin:matches_match_settings", match.pk)
    if "_draft" in request.POST:
        return redirect("admin:matches_match_change", match.pk)
    return redirect("admin:matches_match_command", match.pk, "publish")


def _make(request: HttpRequest, season: Season, form: NextForm, config: Mapping[str, Any]) -> Match:
    return add_match(
        season,
        request.user,
        form.game.slug,
        form.cleaned_data["title"],
        config=dict(config),
        players=form.entries,
        is_final=form.cleaned_data.get("final", False),
        key=one_time_key(request),
        places=max(len(form.entries), 1),
    )


def _choose(model_admin: Any, request: HttpRequest, season: Season, state: SeasonState) -> HttpResponse:
    due = due_players(state)
    count, busy = len(due), [handle for handle in due if handle in state.playing()]
    context = {
        **model_admin.page(request, "Next match", season),
        "choices": choices_for(count),
        "left": counted(count, "member is", "members are"),
        "is_death_match": bool(state.duel),
        "is_final": state.phase != DEATH_MATCH and count == FINALISTS,
        "busy": joined(busy) if busy else "",
        "waits": to_be_done(state) if state.is_settling() and not state.duel else "",
    }
    return render(request, "admin/seasons/season/choose_type.html", context)


def _form(
    model_admin: Any, request: HttpRequest, season: Season, state: SeasonState, form: NextForm, preset: str
) -> HttpResponse:
    problem = ""
    try:
        config_in(state, form.game, form.game.presets.get(preset, {}))
    except ConfigError as error:
        problem = error.told
    context = {
        **model_admin.page(request, f"Next match: {form.game.title}", season),
        "game": form.game,
        "preset": preset,
        "problem": problem,
        "form": form,
        "team_fields": [form[name] for name in form.fields if name.startswith("team-")],
        "key": one_time_key(request) or secrets.token_urlsafe(12),
        "hour": season.hour,
    }
    return render(request, "admin/seasons/season/next_match.html", context)
