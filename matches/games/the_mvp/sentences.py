"""Each kind of announcement in one or a few plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from matches.engine.sentences import Data, Name, Sentence, asset_name, counted, joined


def card_words(card: str) -> str:
    """A card as people read it: `pear 3`."""
    return card.replace("-", " ")


def _cards(cards: Iterable[str]) -> str:
    return joined(map(card_words, cards))


def team_words(team: str) -> str:
    """A team at the beginning of a sentence."""
    return f"Team {team}"


def _round_opened(data: Data, name: Name) -> str:
    text = f"Round {data['round']} of at most {data['rounds']} is open."
    return f"{text} It is the last one: only exposed cards can be bid on." if data["round"] == data["rounds"] else text


def _card_claimed(data: Data, name: Name) -> str:
    paid = counted(data["total"], "chip")
    return f"{team_words(data['team'])} claims {card_words(data['card'])} from {data['lot']} and pays {paid}."


def _card_flagged(data: Data, name: Name) -> str:
    total = counted(data["total"], "chip")
    return f"{team_words(data['team'])} flags {card_words(data['card'])} on {data['lot']} with {total}."


def _cards_shown(data: Data, name: Name) -> str:
    shown = [f"{card_words(card)} on {place}" for place, card in data["cards"].items()]
    return f"Now face up: {joined(shown)}."


def _chips_moved(data: Data, name: Name) -> str:
    parts = []
    if data["paid"]:
        parts.append(f"You paid {_on(data['paid'])} for {'cards' if len(data['paid']) > 1 else 'a card'} of your team.")
    if data["returned"]:
        parts.append(f"{_on(data['returned'])} came back to you.")
    return f"Round {data['round']}: {' '.join(parts)}"


def _on(chips: Mapping[str, int]) -> str:
    return joined(f"{counted(amount, 'chip')} on {place}" for place, amount in chips.items())


def _control_known(data: Data, name: Name) -> str:
    parts = []
    if data["own"]:
        parts.append(f"You control {_cards(data['own'])}, claimed by your team.")
    if data["others"]:
        parts.append(f"Your team has claimed {_cards(data['others'])}, and you do not control {_it(data['others'])}.")
    return " ".join(parts)


def _it(cards: list[str]) -> str:
    return "it" if len(cards) == 1 else "them"


def _question_bought(data: Data, name: Name) -> str:
    what = f"which card lies at {data['about']}"
    if data["asked"] == "location":
        what = f"where {card_words(data['about'])} lies"
    return f"You have paid {counted(data['garnets'], 'garnet')} to learn {what}, when the round closes."


def _answer_bought(data: Data, name: Name) -> str:
    if data["asked"] == "location":
        return f"The answer that you bought: {card_words(data['card'])} lies at {data['place']}."
    return f"The answer that you bought: {data['place']} is {card_words(data['card'])}."


_ENDINGS = {
    "all_claimed": "All cards are claimed, so the play is over.",
    "standstill": "Nobody has added a chip and no card was claimed, so the play is over.",
    "last_round": "The last round has closed, so the play is over.",
}


def _play_over(data: Data, name: Name) -> str:
    scores = [f"team {team} has {counted(points, 'point')}" for team, points in data["scores"].items()]
    return f"{_ENDINGS[data['how']]} {joined(scores).capitalize()}."


def _match_won(data: Data, name: Name) -> str:
    who, points = joined(map(name, data["players"])), counted(data["score"], "point")
    several = len(data["players"]) > 1
    among = f"of team {data['team']}" if data["team"] else "of all, because the teams are equal"
    text = f"Most valuable {among}: {who}, with {points}{' each' if several else ''}."
    if not data["tokens"]:
        return f"{text} That would bring {asset_name('tol', len(data['players']))}, so nobody gets one."
    return f"{text} That brings {asset_name('tol', data['tokens'])}{' each' if several else ''}."


SENTENCES: dict[str, Sentence] = {
    "round_opened": _round_opened,
    "card_claimed": _card_claimed,
    "card_flagged": _card_flagged,
    "cards_shown": _cards_shown,
    "nothing_moved": lambda data, name: f"Round {data['round']} has closed: no card was claimed, and no flag moved.",
    "chips_moved": _chips_moved,
    "control_known": _control_known,
    "chips_bought": lambda data, name: (
        f"You have bought {counted(data['count'], 'chip')} for {counted(data['garnets'], 'garnet')}."
    ),
    "question_bought": _question_bought,
    "answer_bought": _answer_bought,
    "play_over": _play_over,
    "match_won": _match_won,
    "garnets_earned": lambda data, name: (
        f"You earn {counted(data['garnets'], 'garnet')} for the {counted(data['points'], 'point')} of your team."
    ),
}
