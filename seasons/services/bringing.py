"""What a season decides about its matches: who may play, with which settings, and what each player brings."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

from matches.engine.core import GARNET, PRIORITY
from matches.engine.errors import ConfigError, Rejected
from matches.engine.sentences import asset_name
from matches.models import Match, Player, clock
from matches.services.belonging import Group
from matches.services.errors import CommandRefused, refused_by_rules
from seasons.engine import season as rules
from seasons.engine.season import CREDIT, config_in
from seasons.engine.state import SeasonSettings, SeasonState, account
from seasons.models import Member, Season, SeasonMatch
from seasons.services.roles import why_no_member
from seasons.services.running import NOT_BEGUN
from seasons.services.writer import Kind, Writer

_MOST_KNOWN = 10_000
_alone: set[str] = set()
"""Public ids of matches without a season. A match is made for its season and never joins one later, so they can be
cached, and most pages need not query."""


def place_of(match: Match) -> SeasonMatch | None:
    """Return a match's place in its season; None without one."""
    if match.public_id in _alone:
        return None
    found = SeasonMatch.objects.select_related("season").filter(match_id=match.pk).first()
    if found is None:
        if len(_alone) >= _MOST_KNOWN:
            _alone.clear()
        _alone.add(match.public_id)
    return found


def season_of(match: Match) -> Group | None:
    """Return the season of a match in the form that `matches` asks for; None without one."""
    found = place_of(match)
    return None if found is None else _InSeason(match, found)


class _InSeason:
    """A match of a season; implements `Group`."""

    def __init__(self, match: Match, found: SeasonMatch) -> None:
        self.match = match
        self.found = found

    def desk(self) -> tuple[str, str]:
        return self.found.season.title, reverse("admin:seasons_season_change", args=[self.found.season_id])

    def setting_problems(self, config: dict[str, Any]) -> list[str]:
        state = self.found.season.decoded()
        if state is None:
            return []
        try:
            config_in(state, self.match.rules, config)
        except ConfigError as error:
            return [error.told]
        return []

    def player_problems(self, players: Iterable[Player]) -> list[str]:
        state = self.found.season.decoded()
        if state is None:
            return [NOT_BEGUN]
        listed = list(players)
        try:
            handles = tuple(player.handle for player in listed)
            rules.check_players(state, handles, is_final=self.found.is_final)
        except Rejected as rejection:
            return [rejection.message]
        return self._strangers(listed)

    def _strangers(self, players: list[Player]) -> list[str]:
        """Players who would use another member's handle, and so their account. Bots may stand in for open places."""
        members = {member.handle: member for member in self.found.season.cast.select_related("user")}
        found = []
        for player in players:
            member = members[player.handle]
            is_stand_in = member.is_open and player.is_bot and player.user_id is None
            if (player.user_id, player.is_bot) != (member.user_id, member.is_bot) and not is_stand_in:
                who = member.user or ("a bot" if member.is_bot else "an open place")
                found.append(f"{player.handle} is {who} in this season, and nobody else can play under that handle.")
        return found

    def handle_of(self, user: Any) -> str:
        member = self._member(user)
        return member.handle if member else ""

    def _member(self, user: Any) -> Member | None:
        return self.found.season.cast.filter(user_id=user.pk).first()

    def why_not_play(self, user: Any, handle: str = "") -> str:
        member = self._member(user)
        if member is None:
            return f"{user} is not in the cast of this season."
        if member.status != Member.Status.IN:
            return f"{user} is no longer in this season."
        if handle not in ("", member.handle):
            return f"{user} plays as {member.handle} in this season, so they cannot play as {handle}."
        return why_no_member(self.found.season, user)

    def why_not_correct(self) -> str:
        if self.found.settled_at is None:
            return ""
        return "This match is settled. Correct the balance in its season instead."

    def why_no_growth(self) -> str:
        return "Blood garnets never enter a match of a season. Switch their growth on or off in the season."

    def why_not_typed(self) -> str:
        return (
            "This match belongs to a season: its players bring their garnets and priority when it opens, so you do "
            "not enter any. Blood garnets stay in the season."
        )

    def brings(self) -> dict[str, str]:
        state = self.found.season.decoded()
        if state is None:
            return {}
        return {each.handle: self._in_words(state, each.handle) for each in state.members}

    def _in_words(self, state: SeasonState, handle: str) -> str:
        elsewhere = state.playing().get(handle)
        if elsewhere is not None and elsewhere != self.found.key:
            return "what comes back from their current match"
        purse = account(state.purses, handle)
        return f"{asset_name(GARNET, int(purse[GARNET]))}, {asset_name(PRIORITY, int(purse[PRIORITY]))}"

    def when_cancelled(self) -> str:
        return "What players brought into the match goes back to the season, as if nobody had played."

    def config(self, config: dict[str, Any]) -> dict[str, Any]:
        credit = SeasonSettings.read(self.found.season.settings).garnet_credit
        has_it = any(setting.key == CREDIT for setting in self.match.rules.settings)
        return {**config, CREDIT: credit} if has_it else config

    def bring(self, players: Iterable[Player]) -> None:
        listed = list(players)
        season = Season.objects.select_for_update().get(pk=self.found.season_id)
        writer = Writer(season, self.match.starts_at or clock.now())
        if writer.state is None:
            raise CommandRefused(NOT_BEGUN)
        writer.pass_due()
        opened = {
            "match": self.found.key,
            "id": self.match.public_id,
            "players": [player.handle for player in listed],
            **({"final": True} if self.found.is_final else {}),
        }
        with refused_by_rules():
            writer.record(Kind.MATCH_OPENED, opened)
        brought = writer.begun.matches[-1].brought
        for player in listed:
            mine = brought[player.handle]
            player.garnets, player.priority = mine.garnet, mine.priority
