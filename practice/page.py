"""A practice table as HTML, by the same templates as a match."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.template.loader import render_to_string

from matches.engine.actions import DECISIONS, decode_action
from matches.models import Match, Player, clock
from matches.pages.context import MatchContext, MatchTimes, People, Person
from matches.pages.form_state import FormState, has_several, is_told
from matches.pages.game_templates import template_of
from matches.pages.rendering import table_parts
from matches.pages.staged import staged
from matches.queries.match_info import MatchInfo
from matches.queries.matches import Position
from practice.models import PracticeTable
from practice.play import ME, Play
from practice.services import name_of, play_at


class _Times(MatchTimes):
    """Time stands still until the player goes on."""

    stands_still = True

    def past(self, time: int | float | None) -> datetime | None:
        """It is counted from the opening."""
        return None


class _Shown(MatchContext):
    """The facts of a match whose address is the game's, where what-ifs can be asked without a match."""

    @cached_property
    def times(self) -> MatchTimes:
        return _Times(self._position.match, self.now)

    @cached_property
    def info(self) -> MatchInfo:
        return replace(super().info, url=f"/games/{self._position.match.game}/")

    def context(self) -> dict[str, object]:
        """Besides: that it is practice, which has no page of a result."""
        return super().context() | {"is_practice": True}


class PracticePage:
    """One look at a table; `now` is fixed while it is made."""

    def __init__(self, table: PracticeTable, now: datetime) -> None:
        self.play: Play = play_at(table)
        self.table, self.game, self._now = table, self.play.game, now
        bare = Match(public_id="practice", game=table.game, title="Practice", speed=1)
        self._position = Position(staged(bare, self.play.state, self.play.time, now, table.seed))
        handles = self.play.state.core.handles
        people = People(Person(each, name_of(table, each), n, "", each != ME, False) for n, each in enumerate(handles))
        self.shown = _Shown(self._position, now, people)
        self._me = Player(handle=ME)

    @property
    def is_over(self) -> bool:
        return self.play.due is None

    def context(self, form_state: FormState | None, chosen: str) -> dict[str, Any]:
        """What the page needs."""
        progress = self.game.progress(self._position.public)
        shown = self.shown.context()
        act = "" if self.is_over else self._act(shown, form_state or FormState(), chosen)
        return {
            **shown,
            "game": self.game,
            "table": True,
            "parts": table_parts(self._position, self.shown),
            "purse": self._own_part("purse"),
            "panel": self._own_part("panel"),
            "act": act,
            "has_act": is_told(act),
            "has_several": has_several(act),
            "asked": "" if self.is_over else self._asked(shown),
            "form_state": form_state,
            "forms": [] if self.is_over else list(self.game.actions),
            "me": self.shown.people.get(ME),
            "where": progress.where,
            "is_over": self.is_over,
            "winners": self._position.public.winners if self._position.public else (),
            "news": self.table.told[::-1],
        }

    def _act(self, shown: dict[str, object], form_state: FormState, chosen: str) -> str:
        own = self._own
        more = {
            "own": own,
            "me": self.shown.people.get(ME),
            "form_state": form_state,
            "chosen": chosen,
            "asks": [ask for ask in own.asked if ask.kind in DECISIONS],
            "game_part": template_of(self.game.slug, "act"),
            "has_words": False,
        }
        return render_to_string("matches/parts/act.html", shown | more)

    def _asked(self, shown: dict[str, object]) -> str:
        return render_to_string("matches/parts/asked.html", shown | {"own": self._own})

    def receipt(self, action: dict[str, Any]) -> str:
        """What this action has done, in words."""
        context = self.shown.context() | {"action": action, "receipt": None, "at": self._now}
        return " ".join(render_to_string(template_of(self.game.slug, "receipt"), context).split())

    def _own_part(self, name: str) -> str:
        context = {**self.shown.context(), "own": self._own, "me": self.shown.people.get(ME)}
        return render_to_string(template_of(self.game.slug, name), context)

    @property
    def _own(self) -> Any:
        return self._position.private_of(self._me)

    def forecast(self, action: Any) -> dict[str, Any]:
        """The effect of an acceptable action, for `matches/forecast.html`."""
        return {
            **self.shown.context(),
            "kind": "good",
            "game_part": template_of(self.game.slug, "forecast"),
            "action": action,
            "forecast": self.game.forecast(self._position.public, self._own, decode_action(self.game.actions, action)),
            "own": self._own,
            "me": self.shown.people.get(ME),
        }


def page_of(table: PracticeTable) -> PracticePage:
    """The table as it is now; call it inside `clock.fixed`."""
    return PracticePage(table, clock.now())
