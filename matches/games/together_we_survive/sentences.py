"""Each kind of announcement in one or a few plain sentences."""

from __future__ import annotations

from matches.engine.sentences import Data, Name, Sentence, counted, joined

KINDS = {"A": "for players on stage", "B": "for players of group B", "both": "of both kinds"}
"""What a player submitted, in words."""


def _kicked_out(data: Data, name: Name) -> str:
    who, many = joined(map(name, data["players"])), len(data["players"]) > 1
    leave = f"{who} {'leave' if many else 'leaves'} the stage"
    if data["automatic"]:
        return f"Round {data['round']} closes at once, because {who} was alone on stage: {leave}, the last to do so."
    votes = counted(data["votes"], "vote") if data["votes"] else "no votes"
    return f"Round {data['round']}: {leave}, with {votes}{' each' if many else ''}, the fewest."


def _votes_shared(data: Data, name: Name) -> str:
    gained = [f"{name(player)} gains {counted(tokens, 'token')}" for player, tokens in data["gained"].items()]
    text = joined(gained) if gained else "nobody gains tokens"
    most = data["most"]
    if not most:
        return f"Round {data['round']}, group B: there were no votes, and nobody gains tokens."
    each = " each" if len(most) > 1 else ""
    greedy = f"{joined(map(name, most))} had the most votes, {data['votes']}{each}, and {_get(most)} nothing"
    return f"Round {data['round']}, group B: {text}; {greedy}."


def _get(players: list[str]) -> str:
    return "get" if len(players) > 1 else "gets"


def _votes_counted(data: Data, name: Name) -> str:
    cost = [counted(data["tokens"], "token")] if data["tokens"] else []
    cost += [counted(data["garnets"], "garnet")] if data["garnets"] else []
    price = f"They took {joined(cost)}." if cost else "They cost you nothing."
    return f"Round {data['round']}: your votes {KINDS[data['kind']]} were counted. {price}"


def _group_decided(data: Data, name: Name) -> str:
    winners, losers, group = data["winners"], data["losers"], f"Group {data['group']}"
    if winners == losers:
        text = f"{group}: all are equal, so everybody has won and lost."
    else:
        lost = "have lost" if len(losers) > 1 else "has lost"
        has = "have won" if len(winners) > 1 else "has won"
        text = f"{group}: {joined(map(name, winners))} {has}, {joined(map(name, losers))} {lost}."
    return f"{text} {_tokens(len(winners), data['tokens'])}"


def _tokens(winners: int, tokens: int) -> str:
    if not tokens:
        return "So many have won that there are no Tokens of Life."
    if tokens > 1:
        return f"That brings {tokens} Tokens of Life, and all but one must be given away."
    return "That brings a Token of Life each." if winners > 1 else "That brings a Token of Life."


SENTENCES: dict[str, Sentence] = {
    "round_opened": lambda data, name: (
        f"Round {data['round']} is open, with {counted(len(data['on_stage']), 'player')} on stage."
    ),
    "kicked_out": _kicked_out,
    "votes_shared": _votes_shared,
    "votes_counted": _votes_counted,
    "group_decided": _group_decided,
    "garnets_earned": lambda data, name: f"You earn {counted(data['garnets'], 'garnet')}.",
}
