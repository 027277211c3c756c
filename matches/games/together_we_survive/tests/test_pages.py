"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re

import pytest

from matches.games.together_we_survive.tests.at_table import AtTable
from matches.games.together_we_survive.tests.table import give, withdraw
from matches.models import clock
from tests.games import reading
from tests.games.reading import text_of
from tests.web.conftest import browser

PUBLIC_PAGES = ("", "parts/", "rules/", "history/", "news/", "result/")


def part(html: str, begin: str, end: str = "</section>") -> str:
    """What stands from a piece of HTML to the next end, as text."""
    return text_of(f"<{reading.part(html, begin, end)}")


def looks(table: AtTable, who: str | None) -> str:
    return browser(table.users[who] if who else None).look(table.url)


def everything(table: AtTable, who: str | None) -> list[str]:
    """All pages of the match as somebody sees them, without what differs at each look."""
    visitor = browser(table.users[who] if who else None)
    return [reading.steady(visitor.get(f"{table.url}{page}").content.decode()) for page in PUBLIC_PAGES]


def filled(html: str, kind: str) -> dict[str, str]:
    """The vote fields of a form that have something in them: handle -> what."""
    found = re.findall(rf'name="votes\[(\w+)\]" form="act-{kind}"[^>]*value="([^"]+)"', html)
    return dict(found)


# -- the board ---------------------------------------------------------------------------------------


def test_at_first_all_of_group_a_are_on_stage_and_the_gallery_is_empty(at_table: AtTable) -> None:
    page = looks(at_table, None)
    assert "On stage 6 of 6" in part(page, 'id="stage"')
    assert "Nobody has left the stage yet" in part(page, 'id="gallery"', "</div>")
    assert "An Ann Bo Bob Ca Cat Da Dan Ev Eve Fl Flo" in part(page, 'id="board"', 'id="shares"')
    assert all(name in part(page, 'id="shares"') for name in ("Gus", "Hal", "Ida", "Jon", "Kim"))


# -- secrets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [None, "zoe"])
def test_who_voted_for_whom_and_with_what_tokens_shows_to_nobody_ever(
    db: None, present: clock.FixedTime, who: str | None
) -> None:
    """Two matches with the same counts by other hands, to the end: only ids, seeds and times differ."""
    told = []
    for first, second in (("ann", "dan"), ("dan", "ann")):
        table = AtTable(present)
        table.on_stage(first, ann=3).on_stage(second, ann=1).at(48)
        told.append([text_of(re.sub(r"[0-9a-z]{12,}", "", page)) for page in everything(table, who)[:1]])
    assert told[0] == told[1]


def test_tokens_of_group_a_are_never_published(at_table: AtTable) -> None:
    page = browser().look(f"{at_table.decided().url}result/")
    assert "Who voted for whom stays private, and so do the tokens of group A." in page
    tokens = part(page, 'aria-labelledby="tokens-title"')
    assert "Gus won 3 tokens" in tokens
    assert not any(name in tokens for name in ("Ann", "Bob", "Cat", "Dan"))


@pytest.mark.parametrize("who", [None, "bob", "gus", "eve"])
def test_gifts_and_votes_stay_sealed_while_anything_is_open(at_table: AtTable, who: str | None) -> None:
    before = everything(at_table.played(), who)
    at_table.act("ann", give("dan", "eve"))
    assert everything(at_table, who) == before


# -- the player's own --------------------------------------------------------------------------------


def test_what_counts_fills_both_forms_and_stands_with_its_time(at_table: AtTable) -> None:
    at_table.at(1).on_stage("ann", ann=2, bob=1).at(2).for_b("ann", kim=1, gus=2)
    page = looks(at_table, "ann")
    now = part(page, 'class="submission__counts tws-now"', "</div>")
    assert "On stage: 2 for Ann, 1 for Bob sealed Sun 1 Mar, 15:00 UTC" in now
    assert "In group B: 2 for Gus, 1 for Kim sealed Sun 1 Mar, 16:00 UTC" in now
    assert "Both together cost 1 garnet , which you pay when the round closes." in now
    assert (
        "If you do nothing more, your 3 votes on stage and your 3 votes for group B count when the round closes"
        in text_of(page)
    )
    assert filled(page, "vote_a") == {"ann": "2", "bob": "1"}
    assert filled(page, "vote_b") == {"gus": "2", "kim": "1"}
    assert "Take back the stage votes" in page
    assert "Take back the votes for B" in page


@pytest.mark.parametrize(
    ("kind", "votes", "said"),
    [
        ("vote_a", {"ann": "6"}, "you have 5 tokens"),
        ("vote_a", {}, "Cast at least one vote"),
        ("vote_b", {"gus": "2"}, "Cast exactly 3 votes for group B"),
        ("vote_b", {"gus": "x"}, "Type a whole number"),
    ],
)
def test_a_refusal_says_what_would_be_accepted_and_keeps_what_was_typed(
    at_table: AtTable, kind: str, votes: dict[str, str], said: str
) -> None:
    typed = {f"votes[{name}]": count for name, count in votes.items()}
    answer = browser(at_table.users["ann"]).press(at_table.url, kind, htmx=True, **typed)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert said in html
    assert filled(html, kind) == votes


# -- the end and the rules ---------------------------------------------------------------------------


def test_the_result_has_gifts_candidates_and_the_published_counts(at_table: AtTable) -> None:
    page = browser().look(f"{at_table.decided().url}result/")
    ended = part(page, 'aria-labelledby="group-A-title"')
    assert "An Ann won 3 Tokens of Life and keeps one of them" in ended
    assert "Given away Ev Eve Fl Flo" in ended
    assert "Elimination Candidate Ca Cat by vote" in ended
    assert "Bo Bob 0 Ca Cat 1" in ended
    left = part(page, 'aria-labelledby="left-title"')
    assert "An Ann won 3 2 1 0 2 garnets" in left
    assert "Da Dan 1 0" in left


def test_when_the_play_is_over_nobody_is_a_link_to_a_vote(at_table: AtTable) -> None:
    assert "data-lot=" in looks(at_table, "gus")
    page = looks(at_table.played(), "gus")
    assert "data-lot=" not in page
    assert page.index('id="shares-title"') < page.index('id="endgame-title"') < page.index('id="part-more"')
    assert page.index('id="part-more"') < page.index('id="rounds-title"')


@pytest.mark.parametrize("who", [None, "bob", "kim", "zoe"])
def test_nobody_else_sees_that_somebody_has_voted(at_table: AtTable, who: str | None) -> None:
    before = everything(at_table, who)
    at_table.on_stage("ann", bob=2).for_b("ann", kim=3)
    assert everything(at_table, who) == before
    at_table.act("ann", withdraw("A"))
    assert everything(at_table, who) == before
