"""A host writes, judges and ends a match in the console, by its pages alone."""

import re
from typing import Any

import pytest
from django.test import Client

from matches.games.hosts_match import GAME
from matches.games.hosts_match.config import Question, Round
from matches.games.hosts_match.tests.at_table import AtTable
from matches.models import Match
from matches.queries.matches import Position
from matches.services.creation import NOBODY, duplicate
from matches.services.replay import verify
from tests.admin.conftest import browser_of, text_of

WRITTEN = {
    "game": "hosts_match", "title": "My own", "description": "", "joining": "invited", "places": "4",
    "open_places": "wait",
    "config-rules": "# Buy *one*.\n\n- the highest pays\n- [more](https://rules.example)",
    "config-assets-0-name": "coin", "config-assets-0-start": "10",
    "config-assets-1-name": "point", "config-assets-1-shown": "public",
    "config-rounds-0-title": "First", "config-rounds-0-length": "12h",
    "config-rounds-0-questions-0-ask": "How much?", "config-rounds-0-questions-0-kind": "number",
    "config-rounds-0-questions-0-least": "-5", "config-rounds-0-questions-0-most": "10",
    "config-rounds-0-questions-1-ask": "Which door?", "config-rounds-0-questions-1-kind": "choice",
    "config-rounds-0-questions-1-options": "left\nright", "config-rounds-0-questions-1-optional": "1",
    "config-rounds-0-questions-2-ask": "Share", "config-rounds-0-questions-2-kind": "split",
    "config-rounds-0-questions-2-between": "others", "config-rounds-0-questions-2-total": "7",
}  # fmt: skip


@pytest.fixture
def host(at_table: AtTable) -> Any:
    user = at_table.users["dora"]
    user.is_staff = user.is_superuser = True
    user.save()
    return browser_of(user)


def test_rules_assets_rounds_and_questions_are_written_in_the_form(host: Any) -> None:
    updated = text_of(host.post("/admin/matches/match/add/", {**WRITTEN, "_update": "config-rounds-0-again"}))
    assert "<li>the highest pays</li>" in updated
    assert "# Buy <em>one</em>." in updated
    assert re.search(r'name="config-rounds-1-questions-2-total"[^>]* value="7"', updated)
    answer = host.post("/admin/matches/match/add/", {**WRITTEN, "_save": "Save"})
    assert answer.status_code == 302, text_of(answer)
    config = Match.objects.get(title="My own").config
    assert config["assets"] == [
        {"name": "coin", "start": 10, "shown": "own"},
        {"name": "point", "start": 0, "shown": "public"},
    ]
    assert config["rounds"] == [{"title": "First", "text": "", "length": "12h", "questions": [
        {"ask": "How much?", "kind": "number", "least": -5, "most": 10},
        {"ask": "Which door?", "kind": "choice", "optional": True, "options": ["left", "right"]},
        {"ask": "Share", "kind": "split", "total": 7, "between": ["others"]},
    ]}]  # fmt: skip
    assert GAME.read_config(config).rounds[0].keys == ("how_much", "which_door", "share")


def test_a_match_of_many_questions_can_be_saved(host: Any) -> None:
    names = ("ask", "key", "longest", "least", "most", "options", "among", "total", "between")
    asked = [f"config-rounds-{place}-questions-{number}" for place in range(30) for number in range(10)]
    many = {f"{where}-{name}": "Why?" if name == "ask" else "" for where in asked for name in names}
    answer = host.post("/admin/matches/match/add/", {**many, **WRITTEN, "_save": "Save"})
    assert answer.status_code == 302, text_of(answer)


def test_what_is_wrong_is_said_at_its_place(host: Any) -> None:
    wrong = {**WRITTEN, **{f"config-rounds-0-questions-{number}-key": "same" for number in (0, 1)}}
    page = text_of(host.post("/admin/matches/match/add/", {**wrong, "_save": "Save"}))
    assert "Round 1, question 2, “Short name”: two questions of this round have the key same." in page


def test_a_question_in_place_of_another_gets_a_key_of_its_own() -> None:
    written = (Question(ask="Bid?", key="bid"), Question(ask="Bid?", key="bid_3"), Question(ask="Bid?"))
    assert Round(questions=written).tidy().keys == ("bid", "bid_3", "bid_4")


def do(host: Any, table: AtTable, name: str, **fields: Any) -> tuple[str, str]:
    """What a command says that it will do, and the page after it is done."""
    address = f"/admin/matches/match/{table.pk}/do/host-{name}/"
    asked = text_of(host.post(address, fields) if fields else host.get(address))
    assert "What will happen" in asked, asked
    hidden: dict[str, list[str]] = {}
    for key, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', asked):
        hidden.setdefault(key, []).append(value)
    return asked, text_of(host.post(address, {**hidden, "_confirm": "1"}, follow=True))


def test_a_round_is_judged_on_one_page_and_the_end_decided(at_table: AtTable, host: Any) -> None:
    at_table.answer("ann", bid=5).answer("bob", bid=12).at(25)
    console = text_of(host.get(f"/admin/matches/match/{at_table.pk}/change/"))
    assert "The match is waiting for its hosts: Post the result of round 1." in console
    gold = r'class="button\s+default"\s+href="[^"]*/do/host-post_result/"'
    assert re.search(gold, console)
    page = text_of(host.get(f"/admin/matches/match/{at_table.pk}/do/host-post_result/"))
    assert page.index(">Ann<") < page.index(">5<") < page.index(">12<")
    assert "no answers" in page
    fields = {"text": "**Bob** gets it.", "reveal_bid": "named", "book_1_0": "-12", "book_1_1": "1"}
    refused = text_of(
        host.post(f"/admin/matches/match/{at_table.pk}/do/host-post_result/", {**fields, "book_1_0": "-21"})
    )
    assert "bob does not have 21 coins." in refused
    assert [row.code for row in at_table.match.log.filter(accepted=False)] == ["not_enough"]
    asked, after = do(host, at_table, "post_result", **fields)
    assert "Everybody can read who answered what to “How many coins do you bid?”." in asked
    assert "Bob pays 12 coins and gets 1 painting; only they read what is private until the match is over." in asked
    assert "Round 2 opens at once." in asked
    assert "You posted the result of a round." in after
    assert not re.search(gold, after)
    assert "Everybody sees who has how much." in text_of(Client().get(f"{at_table.match.get_absolute_url()}rules/"))
    page = text_of(Client().get(at_table.match.get_absolute_url()))
    assert "<strong>Bob</strong> gets it." in page
    assert "The hosts have posted the result of round 1: Bob gets it." in page
    assert "**Bob" not in page
    rounds = {
        **{f"rounds-{number}-title": title for number, title in enumerate(("The harbour", "The card players"))},
        "rounds-0-text": "A small painting in oil, a little dark.",
        "rounds-1-text": "Four people at a table. One of them is cheating.",
        **{f"rounds-{number}-questions-0-ask": "How many coins do you bid?" for number in range(2)},
        **{f"rounds-{number}-questions-0-key": "bid" for number in range(2)},
        **{f"rounds-{number}-questions-0-kind": "number" for number in range(2)},
        **{f"rounds-{number}-questions-0-least": "0" for number in range(2)},
        **{f"rounds-{number}-questions-0-most": "20" for number in range(2)},
    }
    last = {"rounds-2-title": "The last chance", "rounds-2-questions-0-ask": "Why?"}
    asked, after = do(host, at_table, "coming_rounds", **rounds, **last)
    assert "Round 3 will open as you have written it." in asked
    fourth = {"rounds-3-title": "Fourth", "rounds-3-questions-0-ask": "Why not?"}
    asked, after = do(host, at_table, "coming_rounds", **rounds, **last, **fourth)
    assert "You are adding round 4." in asked
    address = f"/admin/matches/match/{at_table.pk}/do/host-coming_rounds/"
    [seen] = re.findall(r'name="seen" value="(\w+)"', text_of(host.get(address)))
    at_table.host_does("change_round", round=4, title="The other host's")
    late = host.post(address, {**rounds, **last, **fourth, "seen": seen, "_confirm": "1"})
    assert "Another host has changed the rounds since you opened this form." in text_of(late)
    do(host, at_table, "end_play")
    do(host, at_table.at(50), "post_result", text="Nobody.")
    address = at_table.match.get_absolute_url()
    for page in (Client().get(address), Client().get(f"{address}result/")):
        assert "obody wins" not in text_of(page), "the hosts have not said yet who has won"
    drawn = text_of(host.post(f"/admin/matches/match/{at_table.pk}/do/host-decide/", {"winners_vote": "on"}))
    assert "Nobody has won, so the site now draws the Elimination Candidate: one of the players who" in drawn
    asked, after = do(host, at_table, "decide", won_1="on", tokens_1="1", candidate_2="on", candidate_0="on")
    assert "The winners vote for the Elimination Candidate: one of Ann and Cat." in asked
    assert verify(at_table.match) == []
    assert Position(at_table.match).config.rounds[-1].title == "The card players"


def test_a_result_for_an_earlier_round_is_refused(at_table: AtTable, host: Any) -> None:
    address = f"/admin/matches/match/{at_table.at(25).pk}/do/host-post_result/"
    asked = text_of(host.post(address, {"text": "Bob gets it.", "round": "1"}))
    assert "You are posting the result of round 1." in asked
    at_table.host_does("post_result", text="Nobody.").at(50)
    late = text_of(host.post(address, {"text": "Bob gets it.", "round": "1", "_confirm": "1"}, follow=True))
    assert "The result of round 1 has been posted already." in late
    assert 'name="round" value="2"' in text_of(host.get(address))


def test_a_fault_of_the_rules_is_noted_and_what_was_typed_stays(
    at_table: AtTable, host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GAME), "act_as_host", lambda *given: 1 // 0)
    address = f"/admin/matches/match/{at_table.at(25).pk}/do/host-post_result/"
    page = text_of(host.post(address, {"text": "Bob gets it."}))
    assert "Something is wrong with this match" in page
    assert "Bob gets it.</textarea>" in page
    assert at_table.match.fault.startswith("ZeroDivisionError")


def test_a_duplicate_has_the_rounds_as_they_were_played(at_table: AtTable) -> None:
    before = duplicate(at_table.match, at_table.users["dora"], people=NOBODY)
    assert before.config == at_table.match.config
    at_table.host_does("change_round", round=3, title="The last canvas")
    at_table.host_does("add_round", title="One more", length="6h", questions=[{"ask": "How much?", "kind": "number"}])
    again = duplicate(at_table.match, at_table.users["dora"], people=NOBODY)
    titles = [each["title"] for each in again.config["rounds"]]
    assert titles[2:] == ["The last canvas", "One more"]
    assert len(at_table.match.config["rounds"]) == 3
