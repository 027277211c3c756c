"""What a match type declares, whatever the state of a match: its names, sizes, settings and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from matches.engine.actions import ActionTypes
from matches.engine.amending import Amendments
from matches.engine.core import Phase
from matches.engine.errors import ConfigError
from matches.engine.ledger import PRIORITY, TOL
from matches.engine.roster import Roster, Sizes
from matches.engine.sentences import SENTENCES, Name, Sentence
from matches.engine.settings import Settings
from matches.engine.step import Announcement


class MatchType:
    """What each match type declares, and what follows from that alone."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for lists."""
    designers: ClassVar[tuple[str, ...]] = ()
    """Who designed it, as they sign; shown wherever the rules are."""
    rules_version: ClassVar[int] = 1
    """Goes up with every change after which a running match, or its log, would be played differently."""
    is_known: ClassVar[bool] = True
    """Whether it can be played; false only for a stand-in for rules that this site does not have."""
    sizes: ClassVar[Sizes]
    teams: ClassVar[tuple[str, ...]] = ()
    """Team names if players have a team; in other games a team is only a label."""
    assets: ClassVar[tuple[str, ...]] = ()
    """The match's own assets, besides garnets, priority and tokens."""
    public_assets: ClassVar[frozenset[str]] = frozenset({PRIORITY, TOL})
    """Assets whose balances the public view shows. All others are private until the match is over, hidden from its
    hosts too."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Name for hosts -> config to start from."""
    endurance: ClassVar[Mapping[str, Any]] = {}
    """A config under which a few players can act for very long, for load tests."""
    amendments: ClassVar[Amendments] = Amendments()
    """The settings that hosts may change in a running match."""
    demo_match_numbers: ClassVar[Mapping[str, int]] = {}
    """Phase -> number of a bots' match that is known to reach it, for phases that are too rare for the demo to search
    for at every start. A number that no longer leads there costs one try."""

    actions: ClassVar[ActionTypes]
    possible: ClassVar[Mapping[Phase, str]]
    """Phase -> a sentence on what players can do in it, shown to players who try something else."""
    secret_for_ever: ClassVar[frozenset[str]] = frozenset({"vote"})
    """Actions (by `type`) that stay secret when the log of a finished match is published: neither what they say nor who
    made them is shown."""
    questions: ClassVar[ActionTypes] = {}
    """What-ifs by `type`, typed like actions: anybody who sees the match may ask them, and they change nothing."""

    sentences: ClassVar[Mapping[str, Sentence]] = {}
    """Kind of announcement -> its sentence; the engine has those of its own kinds."""
    tones: ClassVar[Mapping[str, str]] = {}
    """Kind of announcement -> the look of its notice: "garnet" for a loss or danger, "jade" for a gain; "brass" for all
    others."""
    lot_key: ClassVar[str] = "lot"
    """The key in an announcement's data that names its lot."""

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

    def warnings(self, config: Settings, roster: Roster) -> tuple[str, ...]:
        """Sentences that warn the host of what is playable but unusual."""
        least, most = self.sizes.usual
        if least <= len(roster) <= most or not self.sizes.least <= len(roster) <= self.sizes.most:
            return config.unusual(roster)
        usual = str(least) if least == most else f"{least} to {most}"
        return (f"{self.title} is made for {usual} players; this match has {len(roster)}.", *config.unusual(roster))

    def describe(self, item: Announcement, name: Name) -> str:
        """An announcement of any kind in one or a few plain sentences; `name` gives the name to show for a handle."""
        sentence = self.sentences.get(item.kind) or SENTENCES.get(item.kind)
        return sentence(item.data, name) if sentence else item.kind.replace("_", " ").capitalize() + "."

    def lot_of(self, item: Announcement) -> str | None:
        """The lot that an announcement is about, as the board names it, or None."""
        lot = item.data.get(self.lot_key)
        return None if lot is None else str(lot)
