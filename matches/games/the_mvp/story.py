"""The sentences of The MVP's announcements, and the story of a finished match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from matches.engine import notice_events as events
from matches.engine.core import TOL
from matches.engine.sentences import Data, Name, Told, asset_name, counted, joined
from matches.engine.step import Announcement
from matches.engine.story import CLOSEST, SWING, Story, TurningPoint, most_of
from matches.engine.views import Outcome
from matches.games.the_mvp.cards import points_of
from matches.games.the_mvp.config import TEAMS
from matches.games.the_mvp.public_view import MvpPublic, ResultView

# -- sentences -----------------------------------------------------------------------------------------


def card_words(card: str) -> str:
    """A card in words: `pear 3`."""
    return card.replace("-", " ")


def _cards(cards: Iterable[str]) -> str:
    return joined(map(card_words, cards))


def team_words(team: str) -> str:
    """A team at the beginning of a sentence."""
    return f"Team {team}"


def _round_opened(data: Data, name: Name) -> str:
    text = f"Round {data['round']} of at most {data['rounds']} is open."
    return f"{text} In this last round you can bid only on exposed cards." if data["round"] == data["rounds"] else text


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
    what = f"which card lies on {data['about']}"
    if data["asked"] == "location":
        what = f"where {card_words(data['about'])} lies"
    return f"You have paid {counted(data['garnets'], 'garnet')}. When the round closes, you learn {what}."


def _answer_bought(data: Data, name: Name) -> str:
    if data["asked"] == "location":
        return f"The answer that you bought: {card_words(data['card'])} lies on {data['place']}."
    return f"The answer that you bought: {data['place']} is {card_words(data['card'])}."


_ENDINGS = {
    "all_claimed": "All cards are claimed, so play is over.",
    "standstill": "Nobody added a chip and no card was claimed, so play is over.",
    "last_round": "The last round has closed, so play is over.",
}


def _play_over(data: Data, name: Name) -> str:
    scores = [f"team {team} has {counted(points, 'point')}" for team, points in data["scores"].items()]
    return f"{_ENDINGS[data['how']]} {joined(scores).capitalize()}."


def _match_won(data: Data, name: Name) -> str:
    who, points = joined(map(name, data["players"])), counted(data["score"], "point")
    several = len(data["players"]) > 1
    among = f"of team {data['team']}" if data["team"] else "of all, because the teams are tied"
    text = f"Most valuable {among}: {who}, with {points}{' each' if several else ''}."
    if not data["tokens"]:
        return f"{text} That would bring {asset_name(TOL, len(data['players']))}, too many, so nobody gets one."
    return f"{text} That brings {asset_name(TOL, data['tokens'])}{' each' if several else ''}."


TOLD: dict[str, Told] = {
    "round_opened": Told(events.ROUND_OPENED, _round_opened),
    "card_claimed": Told(events.ROUTINE, _card_claimed),
    "card_flagged": Told(events.ROUTINE, _card_flagged),
    "cards_shown": Told(events.ROUTINE, _cards_shown),
    "nothing_moved": Told(events.ROUTINE, "Round {round} has closed. No card was claimed, and no flag moved."),
    "chips_moved": Told(events.ROUND_CLOSED, _chips_moved),
    "control_known": Told(events.WON, _control_known),
    "question_bought": Told(events.ROUTINE, _question_bought),
    "answer_bought": Told(events.ROUND_CLOSED, _answer_bought),
    "play_over": Told(events.ROUND_CLOSED, _play_over),
    "match_won": Told(events.ROUTINE, _match_won),
    "garnets_earned": Told(
        events.ROUTINE,
        "You earn {garnets:garnet} for your team's {points:point}.",
    ),
}


# -- story ---------------------------------------------------------------------------------------------


def story(view: MvpPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The round that changed the score most, how close the match was, the most wanted card, and the best set or run."""
    result = view.result
    if result is None:
        return Story()
    found = (most_of(_swings(view)), _closest(result, name), _wanted(view), _made(result))
    lines = {
        rank.handle: f"{counted(rank.score, 'own point')} for {rank.team}, "
        + (f"with {joined(rank.controlled)}" if rank.controlled else "without a card")
        for rank in result.ranks
    }
    return Story(tuple(moment for moment in found if moment), lines)


def _swings(view: MvpPublic) -> Iterator[tuple[int, TurningPoint]]:
    """Each round that changed the difference between the teams, with by how much."""
    held: dict[str, frozenset[str]] = {team: frozenset() for team in TEAMS}
    before = 0
    for each in view.history:
        for mark in each.claimed:
            held[mark.team] |= {mark.card}
        points = [points_of(held[team]) for team in TEAMS]
        ahead = points[0] - points[1]
        if size := abs(ahead - before):
            score = " to ".join(map(str, points))
            gainer = TEAMS[0] if ahead > before else TEAMS[1]
            text = f"Round {each.round} moved the match by {counted(size, 'point')} towards {gainer}: {score} "
            yield size, TurningPoint(SWING, f"{text}(red to green).")
        before = ahead


def _closest(result: ResultView, name: Name) -> TurningPoint | None:
    """The differences between the teams, and between the winners and the next player."""
    red, green = (result.scores[team] for team in TEAMS)
    teams = f"{counted(abs(red - green), 'point')} between the teams" if red != green else "The teams were tied"
    won, rest = [rank for rank in result.ranks if rank.won], [rank for rank in result.ranks if not rank.won]
    among = [rank for rank in rest if result.team in (None, rank.team)]
    second = max(among, key=lambda rank: rank.score, default=None)
    if not won:
        return None
    who = joined(name(rank.handle) for rank in won) + (" each" if len(won) > 1 else "")
    text = f"{teams}; {who} had {counted(won[0].score, 'point')} of their own"
    if second is not None:
        text += f", {won[0].score - second.score} more than {name(second.handle)}"
    return TurningPoint(CLOSEST, f"{text}.", tuple(rank.handle for rank in won))


def _wanted(view: MvpPublic) -> TurningPoint | None:
    """The card that was flagged in the most rounds."""
    flags = Counter(mark.place for each in view.history for mark in each.flagged)
    if not flags:
        return None
    place, count = flags.most_common(1)[0]
    claim = next(((each, mark) for each in view.history for mark in each.claimed if mark.place == place), None)
    text = f"{place} had a flag at the close of {counted(count, 'round')}, and "
    if claim is None:
        return TurningPoint("Wanted", f"{text}nobody ever claimed it.")
    each, mark = claim
    return TurningPoint("Wanted", f"{text}{mark.team} claimed it in round {each.round} with {mark.total}.")


def _made(result: ResultView) -> TurningPoint | None:
    best = max(result.combinations, key=lambda made: made.points, default=None)
    if best is None:
        return None
    text = f"{best.team.capitalize()}'s {best.kind} of {len(best.cards)} cards made {counted(best.points, 'point')}."
    return TurningPoint(f"Best {best.kind}", text)
