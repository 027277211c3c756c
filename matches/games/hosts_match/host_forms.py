"""The forms of the actions that hosts take inside the rules of a host's match."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django import forms

from matches.engine.core import GARNET, PRIORITY, RUNNING
from matches.engine.settings import settings_of
from matches.games.hosts_match.config import CHOICE, LARGEST, LONGEST_TEXT, PLAYER, Config, Question
from matches.games.hosts_match.config_fields import STYLE, RoundsField
from matches.games.hosts_match.rounds import MOST_TOKENS
from matches.games.hosts_match.state import COUNTED, HIDDEN, JUDGING, NAMED, OVER, WAITING, WINNERS_VOTE
from matches.games.hosts_match.views import AnsweredRound
from matches.inputs import HostForm

_HOSTING = "games/hosts_match/hosting"
_ROUNDS: Any = next(each for each in settings_of(Config) if each.key == "rounds")
_CHANGED = (
    "Another host has changed the rounds since you opened this form. Your changes are not saved, but what you typed is "
    "still there. Open the form in another tab to see the rounds as they are now."
)
_REVEAL = [(HIDDEN, "not at all"), (NAMED, "with names"), (COUNTED, "as counts")]


def _amount(most: int = LARGEST, least: int = -LARGEST) -> forms.IntegerField:
    attrs = {"size": 5, "inputmode": "text" if least < 0 else "numeric", "autocomplete": "off"}
    return forms.IntegerField(required=False, min_value=least, max_value=most, widget=forms.TextInput(attrs=attrs))


class ResultForm(HostForm):
    """The form for judging a round: all answers side by side, and what to book for each player."""

    label = "Post the result…"
    icon = "seal"
    template = f"{_HOSTING}/judge.html"
    style = STYLE

    @property
    def suits(self) -> bool:
        return bool(self.hosts.stage == JUDGING)

    @property
    def judged(self) -> AnsweredRound:
        """The round to judge."""
        found: AnsweredRound = self.hosts.judged[-1]
        return found

    @property
    def assets(self) -> tuple[str, ...]:
        """The assets that can be booked."""
        return (*self.config.asset_names, GARNET, PRIORITY)

    def fields(self) -> dict[str, forms.Field]:
        text = forms.CharField(
            label=f"What everybody sees as the result of round {self.judged.number}",
            required=False,
            widget=forms.Textarea(attrs={"rows": 5, "cols": 70, "maxlength": LONGEST_TEXT}),
        )
        # A form that was filled in for an earlier round must not become this one's result.
        meant = forms.IntegerField(required=False, initial=self.judged.number, widget=forms.HiddenInput)
        found: dict[str, forms.Field] = {"round": meant, "text": text}
        for question in self.judged.questions:
            found[f"reveal_{question.key}"] = forms.ChoiceField(
                label=question.ask, choices=_REVEAL, initial=HIDDEN, widget=forms.RadioSelect, required=False
            )
        for number, handle in enumerate(self.names):
            for place, asset in enumerate(self.assets):
                found[f"book_{number}_{place}"] = _amount()
                found[f"book_{number}_{place}"].label = f"{asset} of {handle}"
            if handle not in self.public.out:
                found[f"out_{number}"] = forms.BooleanField(label=f"{handle} is out", required=False)
        return found

    def shown(self, form: Any) -> dict[str, Any]:
        return {
            "rows": list(self._rows(form)),
            "reveals": [(question, form[f"reveal_{question.key}"]) for question in self.judged.questions],
            "assets": self.assets,
            "of": self.judged,
        }

    def _rows(self, form: Any) -> Iterator[dict[str, Any]]:
        """Yield a row for each player: their answers, and the fields for what to book."""
        for number, (handle, name) in enumerate(self.names.items()):
            given = self.judged.answers.get(handle)
            yield {
                "name": name,
                "has_answered": given is not None,
                "answers": [self._said(question, given or {}) for question in self.judged.questions],
                "held": self.hosts.holdings[handle],
                "books": [(asset, form[f"book_{number}_{place}"]) for place, asset in enumerate(self.assets)],
                "out": form[f"out_{number}"] if f"out_{number}" in form.fields else None,
            }

    def _said(self, question: Question, given: Mapping[str, Any]) -> str:
        """An answer in words, with names in place of handles; empty if there is none."""
        answer = given.get(question.key, "")
        if isinstance(answer, Mapping):
            return ", ".join(f"{self.names.get(name, name)} {amount}" for name, amount in answer.items()) or "nothing"
        if question.kind in (CHOICE, PLAYER):
            chosen = [answer] if isinstance(answer, str) else answer
            return ", ".join(self.names.get(name, name) for name in chosen)
        return str(answer)

    def action(self, values: Mapping[str, Any]) -> dict[str, Any]:
        keys = [question.key for question in self.judged.questions]
        reveal = {key: values[f"reveal_{key}"] for key in keys if values.get(f"reveal_{key}")}
        book = [
            {"player": handle, "asset": asset, "amount": amount}
            for number, handle in enumerate(self.names)
            for place, asset in enumerate(self.assets)
            if (amount := values.get(f"book_{number}_{place}"))
        ]
        self._booked = book
        out = [handle for number, handle in enumerate(self.names) if values.get(f"out_{number}")]
        text = str(values.get("text", "")).replace("\r\n", "\n").strip()
        round_ = values.get("round") or self.judged.number
        return {"type": "post_result", "text": text, "reveal": reveal, "book": book, "out": out, "round": round_}

    def field_at(self, path: str) -> str | None:
        found = re.match(r"book\[(\d+)\]", path)
        if found is None:
            return path
        booked = self._booked[int(found[1])]
        return f"book_{list(self.names).index(booked['player'])}_{self.assets.index(booked['asset'])}"


class ComingForm(HostForm):
    """The form for later rounds: the round builder, in which a host changes one round, or adds one after the last."""

    label = "Change later rounds…"
    icon = "settings"
    often = False

    @property
    def suits(self) -> bool:
        return bool(self.public.phase == RUNNING)

    @property
    def begun(self) -> int:
        """How many rounds have opened."""
        return int(self.hosts.round - (self.hosts.stage == WAITING))

    def fields(self) -> dict[str, forms.Field]:
        field = RoundsField(_ROUNDS, {"rounds": self.config.rounds})
        field.label, field.help_text, field.begun = "Rounds", "Nobody reads a round before it opens.", self.begun
        self._mark = field.texts_of_usual.checksum
        seen = forms.CharField(required=False, initial=self._mark, widget=forms.HiddenInput)
        return {"rounds": field, "seen": seen}

    def action(self, values: Mapping[str, Any]) -> dict[str, Any]:
        if values.get("seen") not in ("", self._mark):
            raise forms.ValidationError(_CHANGED)
        before, after = self.config.rounds, _ROUNDS.read(values["rounds"]) if values["rounds"] else self.config.rounds
        changed = [place for place, this in enumerate(after) if this not in before[place : place + 1]]
        if len(changed) != 1 or len(after) < len(before):
            raise forms.ValidationError("Change or add one round at a time. To leave rounds out, end play.")
        place, written = changed[0], msgspec.to_builtins(after[changed[0]])
        if place == len(before):
            return {"type": "add_round", **written}
        return {"type": "change_round", "round": place + 1, **written}

    def field_at(self, path: str) -> str | None:
        return "rounds"


class EndForm(HostForm):
    """The form for ending the play, so that no further round opens."""

    label = "End play…"
    icon = "last"
    often = False

    @property
    def suits(self) -> bool:
        coming = self.hosts.stage == WAITING or self.hosts.round < len(self.config.rounds)
        return bool(self.public.phase == RUNNING and coming)

    def action(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": "end_play"}


class DecideForm(HostForm):
    """The form for saying who has won, who gets Tokens of Life, and who may become Elimination Candidate."""

    label = "Say who has won…"
    icon = "trophy"
    template = f"{_HOSTING}/decide.html"
    style = STYLE

    @property
    def suits(self) -> bool:
        return bool(self.hosts.stage == OVER and self.public.decisions is None)

    def fields(self) -> dict[str, forms.Field]:
        found: dict[str, forms.Field] = {}
        for number, handle in enumerate(self.names):
            found[f"won_{number}"] = forms.BooleanField(label=f"{handle} has won", required=False)
            found[f"tokens_{number}"] = _amount(MOST_TOKENS, 0)
            label = f"{handle} may become the candidate"
            found[f"candidate_{number}"] = forms.BooleanField(label=label, required=False)
        if self.config.winners_decide:
            found["winners_vote"] = forms.BooleanField(
                label="Let the winners vote for one of the players who hold no Token of Life", required=False
            )
        return found

    def shown(self, form: Any) -> dict[str, Any]:
        votes = form["winners_vote"] if "winners_vote" in form.fields else None
        assets = (*self.config.asset_names, GARNET, PRIORITY)
        return {"rows": list(self._rows(form)), "votes": votes, "assets": assets}

    def _rows(self, form: Any) -> Iterator[dict[str, Any]]:
        """Yield a row for each player: what they have, and the fields."""
        for number, (handle, name) in enumerate(self.names.items()):
            fields = {word: form[f"{word}_{number}"] for word in ("won", "tokens", "candidate")}
            yield {"name": name, "held": self.hosts.holdings[handle], "is_out": handle in self.public.out, **fields}

    def action(self, values: Mapping[str, Any]) -> dict[str, Any]:
        handles = list(enumerate(self.names))
        named = [handle for number, handle in handles if values.get(f"candidate_{number}")]
        return {
            "type": "decide",
            "winners": [handle for number, handle in handles if values.get(f"won_{number}")],
            "tokens": {
                handle: values[f"tokens_{number}"] for number, handle in handles if values.get(f"tokens_{number}")
            },
            "candidates": WINNERS_VOTE if values.get("winners_vote") else named,
        }

    def field_at(self, path: str) -> str | None:
        return None


FORMS = {
    "post_result": ResultForm,
    "decide": DecideForm,
    "coming_rounds": ComingForm,
    "end_play": EndForm,
}
