"""A match at the site: a sealed auction over three rounds."""

from __future__ import annotations

from typing import Any

from matches.games.hosts_match import GAME
from matches.games.hosts_match.game import PRESETS
from matches.services.hosting import act_as_host
from tests.games.site_table import SiteTable

AUCTION = dict(PRESETS["A sealed auction over three rounds"])


class AtTable(SiteTable):
    """Four people play, dora hosts, gil has an account."""

    game = GAME
    title = "Paintings"
    players = ("ann", "bob", "cat", "dan")
    stranger = "gil"
    settings = AUCTION

    def answer(self, who: str, **answers: Any) -> AtTable:
        """What a player answers in this round."""
        return self.act(who, {"type": "answer", "answers": answers})

    def host_does(self, kind: str, **fields: Any) -> AtTable:
        """What the host does inside the rules."""
        act_as_host(self.match, self.users[self.host], {"type": kind, **fields})
        return self
