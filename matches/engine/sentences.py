"""Announcements in plain sentences, for the feed and for notices.

`TOLD` has the kinds of announcement that the engine and the platform make. A game adds its own kinds in
`MatchType.told`, where it may also replace those of the engine.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from string import Formatter
from typing import Any, NamedTuple

from matches.engine import notice_events as events
from matches.engine.actions import DECISIONS
from matches.engine.core import PRIORITY, TOL
from matches.engine.match_time import spell, spell_told

Name = Callable[[str], str]
"""A handle -> the name to show."""

Data = Mapping[str, Any]
"""The data of an announcement."""

Sentence = Callable[[Data, Name], str]
"""A function that puts one kind of announcement into words."""

NO_PLAYER = "Only this match's players can act in it."
SAY_WHY = "Say why; everybody can read the reason."
"""The message to a host who gives no reason where one is needed, in a match or a season."""


class Told(NamedTuple):
    """A kind of announcement: its event (`notice_events`), empty if it is routine, and its words.

    `words` is a function, or a text in which `{seat}` stands for what the data has under that key, `{player:name}` for
    a player's name, `{rounds:round}` for a number with its unit. `named`: if an announcement to everybody is an event
    only to the players whom it names, the key of its data that names them (one handle, or several)."""

    event: str
    words: Sentence | str
    named: str = ""

    def sentence(self, data: Data, name: Name) -> str:
        """The announcement with this data in words."""
        return _Filled(name).vformat(self.words, (), data) if isinstance(self.words, str) else self.words(data, name)


class _Filled(Formatter):
    """Fills in the placeholders of a `Told.words`."""

    def __init__(self, name: Name) -> None:
        self._name = name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "name":
            return self._name(value)
        return counted(value, format_spec) if format_spec else str(value)


def joined(parts: Iterable[str], word: str = "and") -> str:
    """A list in words: `a`, `a and b`, `a, b and c`, or `nobody` if it is empty."""
    *most, last = list(parts) or ["nobody"]
    return f"{', '.join(most)} {word} {last}" if most else last


def sentence(text: str) -> str:
    """The message of a `ConfigError` or the like as a sentence, with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def counted(count: int | Decimal, one: str, many: str = "") -> str:
    """A number with its unit: `1 vote`, `2 votes`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def asset_name(asset: str, amount: int | Decimal) -> str:
    """An amount of an asset in words: `3 garnets`, `1 Token of Life`."""
    return f"{amount} {asset_unit(asset, amount)}"


def asset_unit(asset: str, amount: int | Decimal | None = None) -> str:
    """The word that follows an amount: `garnet` after 1, `garnets` after any other."""
    one, many = _ASSETS.get(asset) or _unknown_asset(asset)
    return one if amount == 1 else many


_ASSETS = {
    TOL: ("Token of Life", "Tokens of Life"),
    PRIORITY: ("priority", "priority"),
    **{coin: (f"{coin} coin", f"{coin} coins") for coin in ("gold", "silver", "bronze")},
}


def _unknown_asset(asset: str) -> tuple[str, str]:
    word = asset.removeprefix("item:").replace("_", " ")
    # Hosts name the items of a match, so their plurals are unknown.
    return (word, word) if asset.startswith("item:") else (word, f"{word}s")


# -- decisions ---------------------------------------------------------------------------------


def _candidate_decided(data: Data, name: Name) -> str:
    who, votes = name(data["player"]), data.get("votes") or {}
    if data["how"] == "only_one":
        return f"{who} is the Elimination Candidate: there was no other choice."
    if data["how"] == "named":
        return f"{name(data['by'])} named {who} as Elimination Candidate."
    if data["how"] == "voted":
        most, total = votes[data["player"]], sum(votes.values())
        return f"{who} is the Elimination Candidate, with {most} of {counted(total, 'vote')}."
    if votes:
        return f"{who} is the Elimination Candidate, by a draw among those with the most votes ({_tally(votes, name)})."
    return f"{who} is the Elimination Candidate, by a draw, because nobody decided."


def _tally(votes: Mapping[str, int], name: Name) -> str:
    return ", ".join(f"{name(handle)} {count}" for handle, count in votes.items())


def _votes_drawn(data: Data, name: Name) -> str:
    if data["count"] == 1:
        return "The site has drawn one missing vote."
    return f"The site has drawn {data['count']} missing votes, each separately."


def _tokens_given(data: Data, name: Name) -> str:
    giver, to, parts = name(data["player"]), data["to"], []
    if to:
        tokens = "a Token of Life" if len(to) == 1 else "a Token of Life each"
        receivers = joined(name(handle) for handle in to)
        drawn = data["how"] == "drawn"
        parts.append(f"{giver} gave {tokens} to {receivers}{' (drawn)' if drawn else ''}.")
    if data["lapsed"]:
        tokens = asset_name(TOL, data["lapsed"])
        parts.append(
            f"{giver} had {tokens} left to give, but nobody could get {'it' if data['lapsed'] == 1 else 'them'}."
        )
    return " ".join(parts)


def _match_finished(data: Data, name: Name) -> str:
    winners, candidates = data["winners"], data["candidates"]
    won = f"{joined(map(name, winners))} {'have' if len(winners) > 1 else 'has'} won"
    text = f"The match is finished, and {won}."
    if candidates:
        role = "Elimination Candidate" + ("s" if len(candidates) > 1 else "")
        text += f" {role}: {joined(map(name, candidates))}."
    return text


# -- what the platform announces ---------------------------------------------------------------


def _because(text: str, data: Data) -> str:
    reason = str(data.get("reason") or "").strip()
    return f"{text}: {reason.rstrip('.')}." if reason else f"{text}."


def fixed_in_words(what: str, by: str) -> str:
    """A sentence that a host (`by`, empty if unknown) has set something that is otherwise drawn."""
    return f"{by or 'A host'} has set {what}, so the site does not draw it."


def _match_opened(data: Data, name: Name) -> str:
    return " ".join(["The match has begun.", *(fixed_in_words(what, by) for what, by in data.get("fixed", {}).items())])


def _blood_garnets_switched(data: Data, name: Name) -> str:
    if not data["on"]:
        return "Blood garnets no longer grow in this match. Players keep what has grown."
    return "Blood garnets grow in this match: by a tenth every day after the pregame."


def _start_put_off(data: Data, name: Name) -> str:
    are_open = counted(data["open_places"], "place is", "places are")
    to = f", to {data['starts']}" if "starts" in data else ""
    return f"The start is postponed by a day{to}: {are_open} still open."


def _start_moved(data: Data, name: Name) -> str:
    before = f", not on {data['before']}" if "before" in data else ""
    return f"A host has moved the start: the match begins on {data['starts']}{before}."


def _open_places_settled(data: Data, name: Name) -> str:
    who = joined(map(name, data["handles"]))
    if data["choice"] == "bots":
        return f"Some places were still open, so bots take them: {who}."
    return f"The match begins without its open places: {who}."


def _deadline_extended(data: Data, name: Name) -> str:
    real = timedelta(seconds=data.get("takes", data["by"]))  # `by` is match time
    return _because(f"A host has moved the deadline by {spell_told(real)}{_next(data)}", data)


def _outage(data: Data, name: Name) -> str:
    text = f"The site was down from {data['from']} until {data['to']}"
    if "starts" in data:
        return f"{text}, when this match should have begun. It begins on {data['starts']} instead."
    fell = "a deadline came soon after" if data["soon"] else "a deadline fell within that time"
    later = spell(timedelta(minutes=round(data["takes"] / 60)))  # nobody wants to read the microseconds of an outage
    return f"{text}, and {fell}. So every deadline comes {later} later{_next(data)}."


def _next(data: Data) -> str:
    """The next deadline, if the data has it; the platform has already put the instant into words."""
    return f"; the next deadline is {data['next']}" if "next" in data else ""


def _paused(data: Data, name: Name) -> str:
    said = "The match is paused, and its clock stands still"
    if "goes_on" in data:
        said += f" until a host resumes it, or until {data['goes_on']} at the latest" if data["latest"] else ""
        said += "" if data["latest"] else f"; it resumes by itself on {data['goes_on']}"
    return _because(said, data)


def _resumed(data: Data, name: Name) -> str:
    itself = f" by itself, as planned for {data['by_itself']}" if "by_itself" in data else ""
    return f"The match resumes{itself}{_next(data)}."


def _opening_balances_differ(data: Data, name: Name) -> str:
    """`amounts` are of public assets; those of the `private` ones become public when the match is over."""
    who = f"hosts {joined(data['hosts'])} have" if len(data["hosts"]) > 1 else f"host {data['hosts'][0]} has"
    what = joined(asset_unit(asset) for asset in (*data["amounts"], *data["private"]))
    said = [f"The {who} given players different amounts of {what} to begin with."]
    for asset, amounts in data["amounts"].items():
        said.append(f"{asset_unit(asset).capitalize()}: {joined(f'{name(each)} {n}' for each, n in amounts.items())}.")
    if data["private"]:
        said.append("The amounts become public when the match is over.")
    return " ".join(said)


def _balance_corrected(data: Data, name: Name) -> str:
    whose = name(data["player"]) if "player" in data else "a player"
    amount = Decimal(str(data["amount"]))
    what = asset_name(data["asset"], abs(amount))
    moves = f"takes {what} from {whose}" if amount < 0 else f"gives {whose} {what}"
    return _because(f"A host's correction {moves}", data)


def _decision_by_host(data: Data, name: Name) -> str:
    host = f"The host {data['host']}" if "host" in data else "A host"
    whose = f"in place of {name(data['player'])}" if "player" in data else "in a player's place"
    return _because(f"{host} has decided {whose}", data)


def _host_looked(data: Data, name: Name) -> str:
    what = "balances" if data.get("what") == "balances" else "sealed submission"
    return _because(f"The host {data['host']} has looked at the {what} of {name(data['player'])}", data)


def _when(data: Data) -> str:
    return f" ({data['where']})" if data.get("where") else ""


def _place_taken_over(data: Data, name: Name) -> str:
    """The data holds the names of that moment, because the handle may stand for somebody else by now."""
    where = _when(data)
    if "left" in data:
        return _because(f"{data['name']} takes over from {data['left']}{where}", data)
    return _because(f"{data['name']} plays as {data['player']} from now on{where}", data)


def _player_withdrawn(data: Data, name: Name) -> str:
    what = "a bot plays on" if data["bot"] else "nobody plays"
    return _because(f"{data['left']} no longer plays, and {what} in their place{_when(data)}", data)


# -- what hosts say, and what they are told ------------------------------------------------------

_LONGEST_WORDS = 200


_LINK = re.compile(r"\[([^][\n]+)\]\(([^()\s]+)\)")
_EMPHASIS = re.compile(r"(?<![\w*_])([*_]{1,3})(?=\S)(.{1,500}?)(?<=\S)\1(?![\w*_])")


def unmarked(text: str) -> str:
    """The plain text of simple Markdown."""
    return _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", _LINK.sub(r"\1 (\2)", text)))


def in_short(text: str) -> str:
    """The beginning of a Markdown text as one line of plain text; the match's page has all of it."""
    words = " ".join(unmarked(text).split())
    if len(words) <= _LONGEST_WORDS:
        return words
    return f"{words[:_LONGEST_WORDS].rsplit(' ', 1)[0]} …"


def _noted(what: str) -> Sentence:
    return lambda data, name: f"{what} by {data['host']}: {in_short(data['text'])}"


def _note_withdrawn(data: Data, name: Name) -> str:
    article = "an announcement" if data["kind"] == "announcement" else "a clarification"
    return _because(f"The host {data['host']} has withdrawn {article}", data)


def _question_answered(data: Data, name: Name) -> str:
    if data["to_everybody"]:
        return "The hosts have answered your question for everybody to read, without saying who asked."
    return "The hosts have answered your question. Only you, the hosts and their observers can read the answer."


def _reminded(data: Data, name: Name) -> str:
    until = f" until {data['closes']}" if "closes" in data else ""
    return f"The host {data['host']} reminds you: the match is waiting for you{until}."


TOLD: Mapping[str, Told] = {
    "candidate_decided": Told(events.ROUTINE, _candidate_decided),
    "decision_asked": Told(events.DECISION_ASKED, lambda data, name: f"You have to {DECISIONS[data['action']]}."),
    "vote_drawn": Told(
        events.LOST,
        "You did not vote in time, so the site drew your vote: it went to {player:name}.",
    ),
    "votes_drawn": Told(events.ROUTINE, _votes_drawn),
    "tokens_given": Told(events.WON, _tokens_given, "to"),
    "match_finished": Told(events.FINISHED, _match_finished),
    "chips_bought": Told(
        events.ROUTINE,
        "You have bought {count:chip} for {garnets:garnet}.",
    ),
    "match_opened": Told(events.OPENED, _match_opened),
    "blood_garnets_switched": Told(events.ROUTINE, _blood_garnets_switched),
    "match_not_opened": Told(
        events.NOT_OPENED,
        lambda data, name: " ".join(["The match could not begin.", *map(str, data.get("problems", ()))]),
    ),
    "start_put_off": Told(events.MOVED, _start_put_off),
    "start_moved": Told(events.MOVED, _start_moved),
    "everybody_ready": Told(events.ROUTINE, "All players are ready, so the match begins before its announced start."),
    "added_to_match": Told(
        events.ADDED,
        "The host {host} has given you a place in this match: you play as {player:name}.",
    ),
    "host_announced": Told(events.CLARIFIED, _noted("Announcement")),
    "clarified": Told(events.CLARIFIED, _noted("Clarification")),
    "note_corrected": Told(events.CLARIFIED, _noted("Correction")),
    "note_withdrawn": Told(events.CLARIFIED, _note_withdrawn),
    "question_answered": Told(events.ANSWERED, _question_answered),
    "reminded": Told(events.DEADLINE_NEAR, _reminded),
    "question_asked": Told(events.ASKED, "{player:name} has asked the hosts a question."),
    "player_left": Told(events.LEFT, "{name} left the match before it began."),
    "match_fault": Told(events.FAULT, "The rules of this match have failed. See its console."),
    "open_places_settled": Told(events.ROUTINE, _open_places_settled),
    "match_paused": Told(events.PAUSED, _paused),
    "match_resumed": Told(events.RESUMED, _resumed),
    "match_resumes_at": Told(events.MOVED, "The match stays paused and resumes by itself on {goes_on}."),
    "deadlines_kept": Told(events.ROUTINE, "Later deadlines stay where they are. The next is {next}."),
    "deadline_extended": Told(events.MOVED, _deadline_extended),
    "outage": Told(events.OUTAGE, _outage),
    "deadline_closed_early": Told(
        events.MOVED,
        lambda data, name: (
            "Everybody has submitted, so the deadline has passed early."
            if data.get("all_sent")
            else _because("A host has let the current deadline pass early", data)
        ),
    ),
    "closing_switched": Told(
        events.CLARIFIED,
        lambda data, name: (
            "From now on the deadline of a sealed round passes as soon as everybody has submitted."
            if data["on"]
            else "Deadlines pass at their set times again, even if everybody has submitted."
        ),
    ),
    "pause_taken_back": Told(
        events.RESUMED,
        lambda data, name: (
            f"A host has taken back the pause: the match resumes as if it had not been paused{_next(data)}."
        ),
    ),
    "extension_taken_back": Told(
        events.MOVED,
        lambda data, name: (
            f"A host has taken back the extension: deadlines are back at their earlier times{_next(data)}."
        ),
    ),
    "match_cancelled": Told(events.CANCELLED, lambda data, name: _because("The match is cancelled", data)),
    "opening_balances_differ": Told(events.ROUTINE, _opening_balances_differ),
    "balance_corrected": Told(events.CORRECTED, _balance_corrected),
    "decision_by_host": Told(events.CORRECTED, _decision_by_host, "player"),
    "host_looked": Told(events.CLARIFIED, _host_looked, "player"),
    "settings_amended": Told(
        events.CLARIFIED,
        lambda data, name: _because(
            f"The host {data['host']} has changed settings for parts of the match that have not begun", data
        ),
    ),
    "amendment_taken_back": Told(events.CLARIFIED, "The host {host} has taken back the change of settings."),
    "absence_noted": Told(events.AWAY, "{player:name} is away from {since} until {until}."),
    "place_taken_over": Told(events.CLARIFIED, _place_taken_over),
    "player_withdrawn": Told(events.CLARIFIED, _player_withdrawn),
    "bot_plays": Told(
        events.CORRECTED,
        lambda data, name: _because(f"A bot plays for {data['name']} from now on{_when(data)}", data),
        "player",
    ),
    "person_plays": Told(
        events.CORRECTED, lambda data, name: f"{data['name']} plays again. The bot has stopped{_when(data)}.", "player"
    ),
}
