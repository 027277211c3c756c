"""Every announcement of the engine and the platform in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from matches.engine.sentences import Sentence, asset_name, counted, joined
from matches.engine.step import Announcement
from tests.engine.tiny_game import GAME


def said(kind: str, **data: Any) -> str:
    return GAME.describe(Announcement("everyone", kind, data), str.capitalize)


def decided(how: str, by: str | None = None, **votes: int) -> str:
    return said("candidate_decided", poll="candidate", player="bob", how=how, by=by, votes=votes)


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [
        (decided("only_one"), "Bob is the Elimination Candidate: there was no other choice."),
        (decided("named", by="ann"), "Ann named Bob as Elimination Candidate."),
        (decided("voted", bob=2, cat=1), "Bob is the Elimination Candidate, with 2 of 3 votes."),
        (decided("voted", bob=1), "Bob is the Elimination Candidate, with 1 of 1 vote."),
        (
            decided("drawn", bob=1, cat=1),
            "Bob is the Elimination Candidate, by a draw among those with most votes (Bob 1, Cat 1).",
        ),
        (decided("drawn"), "Bob is the Elimination Candidate, by a draw: nobody decided."),
        (said("decision_asked", action="vote"), "It is up to you to vote for the Elimination Candidate."),
        (
            said("vote_drawn", poll="candidate", player="bob"),
            "You did not vote in time, so your vote was drawn: it went to Bob.",
        ),
        (said("votes_drawn", poll="candidate", count=1), "One vote was missing and has been drawn."),
        (said("votes_drawn", poll="candidate", count=3), "3 votes were missing and have been drawn, each separately."),
        (said("tokens_given", player="ann", to=["bob"], lapsed=0, how="given"), "Ann gave a Token of Life to Bob."),
        (
            said("tokens_given", player="ann", to=["bob", "cat"], lapsed=1, how="drawn"),
            "Ann gave a Token of Life each to Bob and Cat, drawn by chance. "
            "1 Token of Life of Ann lapsed: there was nobody left to give to.",
        ),
        (
            said("tokens_given", player="ann", to=[], lapsed=2, how="given"),
            "2 Tokens of Life of Ann lapsed: there was nobody left to give to.",
        ),
        (
            said("match_finished", winners=["ann", "cat"], candidates=["bob"]),
            "The match is finished, won by Ann and Cat. Elimination Candidate: Bob.",
        ),
        (said("match_finished", winners=[], candidates=[]), "The match is finished, and nobody has won."),
        (
            said("match_opened", seed_hash="ab12"),
            "The match has begun. Everything drawn in it comes from a seed whose SHA-256 is ab12.",
        ),
        (said("match_paused", reason="storm"), "The match is paused and its clock stands still: storm."),
        (said("match_paused", reason=""), "The match is paused and its clock stands still."),
        (said("match_resumed"), "The match goes on."),
        (
            said("match_resumed", by_itself="Sun 1 Mar, 14:00 UTC", next="Mon 2 Mar, 14:00 UTC"),
            "The match goes on by itself, as planned for Sun 1 Mar, 14:00 UTC; "
            "the next deadline is Mon 2 Mar, 14:00 UTC.",
        ),
        (said("deadline_extended", by=7200), "A host has moved the deadline by 2h."),
        (said("deadline_extended", by=82346.024791), "A host has moved the deadline by 22h52m26s."),
        (said("deadline_extended", by=7200, takes=900, reason="ill"), "A host has moved the deadline by 15m: ill."),
        (
            said(
                "outage",
                **{"from": "Sat 21 Nov, 00:14 UTC", "to": "Mon 23 Nov, 02:14 UTC", "soon": False, "takes": 180007.923},
                next="Mon 23 Nov, 16:14 UTC",
            ),
            "The site did not work from Sat 21 Nov, 00:14 UTC until Mon 23 Nov, 02:14 UTC, and a deadline fell into "
            "that time. So every deadline comes 2d2h later; the next deadline is Mon 23 Nov, 16:14 UTC.",
        ),
        (said("deadline_closed_early", reason="all in"), "A host has ended the current deadline early: all in."),
        (said("deadline_closed_early"), "A host has ended the current deadline early."),
        (said("deadline_extended", by=7200, reason="a storm"), "A host has moved the deadline by 2h: a storm."),
        (
            said("deadline_closed_early", reason="All are in."),
            "A host has ended the current deadline early: All are in.",
        ),
        (said("match_cancelled", reason="too few players."), "The match is cancelled: too few players."),
        (
            said("balance_corrected", asset="garnet", amount=-2, reason="paid in chat"),
            "A host's correction takes 2 garnets from a player: paid in chat.",
        ),
        (
            said("balance_corrected", player="ann", asset="tol", amount=1, reason=""),
            "A host's correction gives Ann 1 Token of Life.",
        ),
        (said("decision_by_host", player="ann"), "A host has decided in place of Ann."),
        (
            said("decision_by_host", player="ann", host="dora", reason="She is ill."),
            "dora, a host, has decided in place of Ann: She is ill.",
        ),
        (said("decision_by_host"), "A host has decided in a player's place."),
        (said("lot_sold", winners=["ann"], amount=3), "The lot went to Ann."),
        (said("something_new"), "Something new."),
    ],
)
def test_it_reads_as_a_sentence(spoken: str, expected: str) -> None:
    assert spoken == expected


def test_a_kind_that_nobody_describes_is_shown_by_its_name() -> None:
    assert said("something_new") == "Something new."


def test_the_game_has_the_first_word() -> None:
    class Chatty(type(GAME)):  # type: ignore[misc]
        sentences: ClassVar[Mapping[str, Sentence]] = {"match_finished": lambda data, name: "Over and out."}

    assert Chatty().describe(Announcement("everyone", "match_finished"), str) == "Over and out."


def test_lists_and_amounts_are_spoken() -> None:
    assert [joined([]), joined("a"), joined("ab"), joined("abc")] == ["nobody", "a", "a and b", "a, b and c"]
    assert [counted(1, "vote"), counted(2, "vote"), counted(2, "die", "dice")] == ["1 vote", "2 votes", "2 dice"]
    assert asset_name("item:deep_pockets", 2) == "2 deep pockets"
    assert asset_name("priority", 2) == "2 priority"
    assert [asset_name("gold", 1), asset_name("bronze", 2)] == ["1 gold coin", "2 bronze coins"]
