"""The sentences of announcements, of hosts' actions before they are confirmed, and the story of a finished match."""

from collections.abc import Iterator, Mapping, Sequence

from matches.engine import notice_events as events
from matches.engine.actions import Action
from matches.engine.core import PRIORITY, TOL
from matches.engine.notice_events import ROUTINE
from matches.engine.sentences import TOLD as ALWAYS_TOLD
from matches.engine.sentences import Data, Name, Told, asset_name, in_short, joined
from matches.engine.step import Announcement
from matches.engine.story import Story, TurningPoint, by_scores
from matches.engine.views import Outcome
from matches.games.hosts_match.config import AT_ONCE
from matches.games.hosts_match.state import (
    COUNTED,
    HIDDEN,
    NAMED,
    WINNERS_VOTE,
    AddRound,
    ChangeRound,
    Decide,
    EndPlay,
    HostState,
    PostResult,
)
from matches.games.hosts_match.views import HostPublic


def _opened(data: Data, name: Name) -> str:
    title = f": {data['title']}" if data["title"] else ""
    return f"Round {data['round']} is open{title}."


def _posted(data: Data, name: Name) -> str:
    text = in_short(data["text"])
    return f"The hosts have posted the result of round {data['round']}{f': {text}' if text else '.'}"


def _booked(data: Data, name: Name) -> str:
    gained = [asset_name(asset, amount) for asset, amount in data["amounts"].items() if amount > 0]
    paid = [asset_name(asset, -amount) for asset, amount in data["amounts"].items() if amount < 0]
    said = [f"you get {joined(gained)}"] if gained else []
    said += [f"you pay {joined(paid)}"] if paid else []
    return f"The result is in: {joined(said)}."


def _out(data: Data, name: Name) -> str:
    who = data["players"]
    do = "are out and can" if len(who) > 1 else "is out and can"
    return f"{joined(map(name, who))} {do} no longer answer."


def _winners(data: Data, name: Name) -> str:
    winners, tokens = data["winners"], {player: count for player, count in data["tokens"].items() if count}
    said = f"The hosts have decided: {joined(map(name, winners))} {'win' if len(winners) != 1 else 'wins'}."
    if not winners:
        said = "The hosts have decided: nobody wins."
    given = [f"{name(player)} gets {asset_name(TOL, count)}" for player, count in tokens.items()]
    return f"{said} {joined(given)}." if given else said


def _candidate(data: Data, name: Name) -> str:
    """The usual sentence, but without “there was no other choice”, because hosts have chosen the only one."""
    if data["how"] == "only_one":
        return f"{name(data['player'])} is the Elimination Candidate."
    return ALWAYS_TOLD["candidate_decided"].sentence(data, name)


TOLD: Mapping[str, Told] = {
    "candidate_decided": Told(ROUTINE, _candidate),
    "round_opened": Told(events.ROUND_OPENED, _opened),
    "round_closed": Told(ROUTINE, "Round {round} is closed. Its answers are final, and the hosts are judging them."),
    "result_asked": Told(events.HOSTS_ASKED, "Round {round} is closed. Please post its result."),
    "result_posted": Told(events.ROUND_CLOSED, _posted),
    "booked": Told(events.WON, _booked),
    "players_out": Told(events.LOST, _out, "players"),
    "round_changed": Told(events.CLARIFIED, "The hosts have changed a round that is still to come."),
    "round_added": Told(events.CLARIFIED, "The hosts have added a round: there are now {rounds}."),
    "play_ends_after": Told(events.CLARIFIED, "The hosts are ending play: round {round} is the last one."),
    "play_ended": Told(ROUTINE, "Play is over. The hosts will say who has won."),
    "decision_asked_of_hosts": Told(events.HOSTS_ASKED, "Play is over. Please say who has won."),
    "winners_decided": Told(events.WON, _winners, "winners"),
}

HOST_ACTS: Mapping[str, str] = {
    "post_result": "posted the result of a round",
    "change_round": "changed a round that had not opened",
    "add_round": "added a round",
    "end_play": "ended play early",
    "decide": "said who has won",
}
"""Type of a host's action -> what the host did, in words that follow the host's name."""

# -- before an action is confirmed -----------------------------------------------------------------------

_REVEALED = {
    NAMED: "Everybody can read who answered what to “{}”",
    COUNTED: "Everybody can read how often each answer to “{}” was given, but not by whom",
    HIDDEN: "Nobody but the hosts ever reads the answers to “{}”",
}


def host_words(state: HostState, action: Action, name: Name) -> Sequence[str]:
    """Sentences on what a host's action will do, and who will read what."""
    if isinstance(action, PostResult):
        return tuple(_result_words(state, action, name))
    if isinstance(action, Decide):
        return tuple(_decide_words(state, action, name))
    if isinstance(action, ChangeRound):
        return (
            f"Round {action.round} will open as you have written it.",
            "Everybody learns that you changed a round still to come, but not what you changed.",
        )
    if isinstance(action, AddRound):
        return (f"You are adding round {len(state.config.rounds) + 1}. Everybody learns that, but not what it asks.",)
    if isinstance(action, EndPlay):
        last = [] if state.is_last else [f"Round {state.round} will be the last one. Everybody learns that."]
        return tuple(last)
    return ()


def _result_words(state: HostState, action: PostResult, name: Name) -> Iterator[str]:
    yield f"You are posting the result of round {state.round}."
    if action.text.strip():
        yield f"Everybody reads: “{in_short(action.text)}”"
    for question in state.this.questions:
        yield f"{_REVEALED[action.reveal.get(question.key, HIDDEN)].format(in_short(question.ask))}."
    public = (PRIORITY, *state.config.shared_assets)
    for player in dict.fromkeys(booking.player for booking in action.book):
        mine = [each for each in action.book if each.player == player and each.amount]
        said = [f"{'gets' if each.amount > 0 else 'pays'} {asset_name(each.asset, abs(each.amount))}" for each in mine]
        if said:
            private = "only they read what is private until the match is over"
            seen = "everybody sees it" if all(each.asset in public for each in mine) else private
            yield f"{name(player)} {joined(said)}; {seen}."
    if action.out:
        yield f"{joined(map(name, action.out))} can no longer answer."
    if state.is_last:
        yield "This is the last round, so play ends and you say who has won."
    else:
        when = "at once" if state.config.opens == AT_ONCE else "at the start of the match's next day"
        yield f"Round {state.round + 1} opens {when}."
    yield "The result is final. A later one can only add to it."


def _decide_words(state: HostState, action: Decide, name: Name) -> Iterator[str]:
    yield _winners({"winners": action.winners, "tokens": action.tokens}, name)
    winners_vote, many = action.candidates == WINNERS_VOTE, len(action.candidates) > 1
    who = "the players who hold no Token of Life" if winners_vote else joined(map(name, action.candidates))
    if winners_vote or (many and state.config.winners_decide):
        how = "The winners vote for" if action.winners else "Nobody has won, so the site now draws"
        yield f"{how} the Elimination Candidate: one of {who}."
    elif action.candidates:
        yield f"Elimination Candidate{'s' if many else ''}: {who}."
    else:
        yield "Nobody becomes Elimination Candidate."
    yield "Players who hold a Token of Life are immune, unless all the players you name hold one."
    yield "Your decision is final, and everybody learns of it at once."


# -- afterwards ------------------------------------------------------------------------------------------


def story(view: HostPublic, outcome: Outcome, told: Sequence[Announcement], name: Name) -> Story:
    """The story: the last texts that hosts posted, the scores, and how each player ended."""
    points = [
        TurningPoint(
            f"Round {item.data['round']}", f"The hosts wrote: “{in_short(item.data['text']).rstrip('.')}”.", (), number
        )
        for number, item in enumerate(told)
        if item.kind == "result_posted" and item.data["text"]
    ]
    scored = by_scores(outcome, name)
    lines = {line.handle: scored.lines.get(line.handle) or _ended(view, line.handle) for line in view.players}
    return Story((*points[-3:], *scored.turning_points), lines)


def _ended(view: HostPublic, player: str) -> str:
    if player in view.winners:
        return "won"
    return "was out" if player in view.out else "played to the end"
