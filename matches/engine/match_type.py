"""What a match type says about itself, whatever the state of a match: its names, sizes, settings and sentences."""

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
    """Who thought it out, as they sign; shown wherever the rules are."""
    rules_version: ClassVar[int] = 1
    """Goes up with every change by which a match that runs, or its log, would be played otherwise."""
    is_known: ClassVar[bool] = True
    """Whether this can be played; false only for what stands for rules that this site does not have."""
    sizes: ClassVar[Sizes]
    teams: ClassVar[tuple[str, ...]] = ()
    """Team names where players have a team; in other games a team is a mere label."""
    assets: ClassVar[tuple[str, ...]] = ()
    """The match's own assets, beside garnets, priority and tokens."""
    public_assets: ClassVar[frozenset[str]] = frozenset({PRIORITY, TOL})
    """Assets of which the public view shows how much everybody has. All others are their player's own until the match
    is over, and hidden from its hosts as well."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Name for hosts -> config to start from."""
    endurance: ClassVar[Mapping[str, Any]] = {}
    """Config under which a few players can go on acting for very long: what load tests play with."""
    amendments: ClassVar[Amendments] = Amendments()
    """What hosts may change in the settings of a match that runs."""
    demo_match_numbers: ClassVar[Mapping[str, int]] = {}
    """Phase -> number of a bots' match that is known to come to it; for phases that come up too rarely for the
    demo to look for one at every start. A number that does not lead there any more costs one try."""

    actions: ClassVar[ActionTypes]
    possible: ClassVar[Mapping[Phase, str]]
    """Phase -> a sentence on what players can do in it, shown to players who try something else."""
    secret_for_ever: ClassVar[frozenset[str]] = frozenset({"vote"})
    """Actions (by `type`) that stay their player's own when the log of a finished match opens to everyone: neither
    what they say nor who made them is shown."""
    questions: ClassVar[ActionTypes] = {}
    """What-ifs by `type`, typed like actions: anybody who sees the match may ask them, and they do nothing."""

    sentences: ClassVar[Mapping[str, Sentence]] = {}
    """Kind of announcement -> it in words; the engine's kinds have theirs already."""
    tones: ClassVar[Mapping[str, str]] = {}
    """Kind of announcement -> how its notice looks: "garnet" for a loss or danger, "jade" for what was won;
    "brass" for all others."""
    lot_key: ClassVar[str] = "lot"
    """What in an announcement's data names the lot that it is about."""

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
