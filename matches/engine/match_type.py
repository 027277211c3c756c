"""What a match type declares independently of any match: its names, sizes, settings, actions and sentences."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from matches.engine.actions import ActionTypes, Decision, Moves
from matches.engine.core import PRIORITY, TOL, Phase
from matches.engine.errors import ConfigError
from matches.engine.notice_events import ROUND_OPENED
from matches.engine.sentences import TOLD, Name, Told, counted, joined
from matches.engine.settings import Roster, Settings, Sizes
from matches.engine.step import EVERYONE, Announcement


class MatchType:
    """The declarations of a match type, and what follows from them alone."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """A few sentences. The first says what kind of game it is; lists show only that one (`lead`)."""
    designers: ClassVar[tuple[str, ...]] = ()
    """The names of its designers, shown wherever the rules are."""
    rules_version: ClassVar[int] = 1
    """Goes up with every change after which a running match, or its log, would play differently."""
    is_known: ClassVar[bool] = True
    """Whether it can be played; false only for the stand-in for a match type that this site does not have."""
    sizes: ClassVar[Sizes]
    teams: ClassVar[tuple[str, ...]] = ()
    """Team names if the game is played in teams; in other games a team is only a label."""
    assets: ClassVar[tuple[str, ...]] = ()
    """The match's own assets, besides garnets, priority and tokens."""
    uses_priority: ClassVar[bool] = False
    """Whether priority decides anything in it, so that the board's list of players shows it."""
    public_assets: ClassVar[frozenset[str]] = frozenset({PRIORITY, TOL})
    """Assets whose balances the public view shows. All others are private until the match is over, hidden from its
    hosts too."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Name for hosts -> config to start from."""
    preset_sizes: ClassVar[Mapping[str, tuple[int, int]]] = {}
    """Name of a preset -> the least and most players that it is made for, if not `sizes.usual`."""
    first_settings: ClassVar[tuple[str, ...]] = ()
    """The keys that hosts are likeliest to change, at most five; their form folds the others away. If empty, the first
    five settings."""

    endurance: ClassVar[Mapping[str, Any]] = {}
    """A config under which a few players can keep acting for a very long time, for load tests."""
    amendable: ClassVar[tuple[str, ...]] = ()
    """The keys of settings that hosts may change in a running match."""
    demo_match_numbers: ClassVar[Mapping[str, int]] = {}
    """Phase -> number of a bots' match that is known to reach it, for phases that are too rare for the demo to search
    for at every start. A number that no longer leads there costs one try."""

    actions: ClassVar[ActionTypes]
    moves: ClassVar[Moves] = {}
    """How its own actions are carried out, decisions aside."""
    host_actions: ClassVar[ActionTypes] = {}
    """The actions that hosts can take inside the rules."""
    host_moves: ClassVar[Moves] = {}
    """How those are carried out, by functions of the turn, the state, the action and the draw."""
    host_acts: ClassVar[Mapping[str, str]] = {}
    """`type` of a host's action -> what the host did, as it follows the host's name: “posted the result of a round”."""
    possible: ClassVar[Mapping[Phase, str]]
    """Phase -> a sentence on what players can do in it, shown to players who try something else. The engine has one for
    the phases after the play."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """The codes of its own refusals (`Rejected`), beside those of the engine -> what each means, for programmers."""
    secret_for_ever: ClassVar[frozenset[str]] = frozenset({"vote"})
    """Actions (by `type`) that stay secret when the log of a finished match is published: neither what they say nor who
    made them is shown."""
    read_by_hosts: ClassVar[frozenset[str]] = frozenset()
    """Those of them that the hosts read once the match is over, because they judge them."""
    questions: ClassVar[ActionTypes] = {}
    """What-if questions, typed like actions. Anybody who sees the match may ask them, and they change nothing."""

    told: ClassVar[Mapping[str, Told]] = {}
    """Kind of announcement -> its sentence, and its event (`engine.notice_events`) or that it is routine. The engine
    has its own for its own kinds."""
    recap_without: ClassVar[frozenset[str]] = frozenset()
    """Kinds of announcement to everyone that a recap leaves out, because there are too many of them."""
    lot_key: ClassVar[str] = "lot"
    """The key in an announcement's data that names its lot."""

    @property
    def lead(self) -> str:
        """The first sentence of the summary."""
        first, stop, _ = self.summary.partition(". ")
        return f"{first}." if stop else first

    @property
    def decides(self) -> bool:
        """Whether decisions may follow the play."""
        return any(issubclass(kind, Decision) for kind in self.actions.values())

    def check_roster(self, roster: Roster) -> None:
        """Raise `ConfigError("players", …)` if this match type cannot be played by these players."""
        handles = [entrant.handle for entrant in roster]
        if len(set(handles)) != len(handles):
            raise ConfigError("players", "each handle must be different")
        if not self.sizes.least <= len(roster) <= self.sizes.most:
            raise ConfigError(
                "players",
                f"{self.title} takes {self.sizes.in_words()} players; this match has {len(roster)}",
            )
        if self.teams and any(entrant.team for entrant in roster):
            self._check_teams(roster)

    def _check_teams(self, roster: Roster) -> None:
        least, are_full = self.sizes.of_team, self.sizes.most == self.sizes.of_team * len(self.teams)
        expected = f"put {least}{'' if are_full else ' or more'} players into each of {joined(self.teams)}"
        expected += ", or leave all teams empty to have them dealt"
        for entrant in roster:
            if not entrant.team:
                raise ConfigError("players", f"{entrant.handle} has no team and others have one; {expected}")
            if entrant.team not in self.teams:
                message = f"{entrant.handle} is in {entrant.team}, which is not a team here; {expected}"
                raise ConfigError("players", message)
        counts = Counter(entrant.team for entrant in roster)
        for team in self.teams:
            if counts[team] < least:
                raise ConfigError("players", f"team {team} has {counted(counts[team], 'player')}; {expected}")

    def check_start(self, config: Settings, roster: Roster) -> None:
        """Raise `ConfigError` if these players cannot play by these settings."""
        self.check_roster(roster)
        for error in config.misfits(roster):
            raise error

    def made_for(self, preset: str) -> tuple[int, int]:
        """The fewest and the most players that a preset is made for."""
        return self.preset_sizes.get(preset, self.sizes.usual)

    def warnings(self, config: Settings, roster: Roster) -> tuple[str, ...]:
        """Sentences that warn hosts about settings or players that are playable but unusual."""
        least, most = self.sizes.usual
        if least <= len(roster) <= most or not self.sizes.least <= len(roster) <= self.sizes.most:
            return config.unusual(roster)
        usual = str(least) if least == most else f"{least} to {most}"
        return (f"{self.title} is made for {usual} players, but this match has {len(roster)}.", *config.unusual(roster))

    def _told(self, kind: str) -> Told | None:
        return self.told.get(kind) or TOLD.get(kind)

    def describe(self, item: Announcement, name: Name) -> str:
        """An announcement of any kind in one or a few plain sentences; `name` gives the name to show for a handle."""
        found = self._told(item.kind)
        return found.sentence(item.data, name) if found else item.kind.replace("_", " ").capitalize() + "."

    def notice_event(self, kind: str) -> str | None:
        """The event that an announcement of this kind is to everybody who is told; None if it is routine, or an event
        only to the players whom it names."""
        found = self._told(kind)
        return (found.event or None) if found and not found.named else None

    def is_routine(self, kind: str) -> bool:
        """Whether an announcement of this kind is an event to nobody."""
        found = self._told(kind)
        return not (found and found.event)

    def event_for(self, item: Announcement, player: str) -> str | None:
        """The event that an announcement is to a player who was told it, alone or with everybody; None if routine."""
        found = self._told(item.kind)
        if found is None or not found.named:
            return self.notice_event(item.kind)
        named = item.data.get(found.named, ())
        is_named = item.audience != EVERYONE or player in ((named,) if isinstance(named, str) else named)
        return found.event if is_named else None

    def begins_chapter(self, kind: str) -> bool:
        """Whether an announcement of this kind begins a new part of a recap. Each round is one, unless a match type
        overrides this."""
        return self.notice_event(kind) == ROUND_OPENED

    def lot_of(self, item: Announcement) -> str | None:
        """The lot that an announcement is about, as the board names it, or None."""
        lot = item.data.get(self.lot_key)
        return None if lot is None else str(lot)
