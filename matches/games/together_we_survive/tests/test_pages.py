"""The pages of a match as each kind of viewer gets them, without scripts."""

from __future__ import annotations

import re

import pytest

from matches.games.together_we_survive.tests.at_table import GROUP_B, AtTable
from matches.games.together_we_survive.tests.table import elect, give, withdraw
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
    assert "nobody has left the stage yet" in part(page, 'id="gallery"', "</div>")
    assert "An Ann Bo Bob Ca Cat Da Dan Ev Eve Fl Flo" in part(page, 'id="board"', 'id="shares"')
    assert all(name in part(page, 'id="shares"') for name in ("Gus", "Hal", "Ida", "Jon", "Kim"))


def test_who_has_left_stands_in_the_gallery_with_the_round(at_table: AtTable) -> None:
    page = looks(at_table.one_round(), None)
    assert "left in round 1 Da Dan Ev Eve Fl Flo" in part(page, 'id="gallery"', "</div>")
    assert "On stage 3 of 6 with their votes in round 1 The fewest votes leave An Ann 2 votes" in part(
        page, 'id="stage"', "</div>"
    )


def test_group_b_shows_what_the_last_votes_brought(at_table: AtTable) -> None:
    shares = part(looks(at_table.one_round(), None), 'id="shares"', "</section>")
    assert "Gu Gus 2 votes +2 2 in all" in shares
    assert "Ki Kim 6 votes most 0 in all" in shares
    assert "Id Ida 0 votes 0 in all" in shares
    assert "at the end" not in shares


def test_all_rounds_tell_votes_and_what_kinds_everybody_submitted(at_table: AtTable) -> None:
    at_table.on_stage("gus", ann=1).for_b("gus", kim=3).for_b("flo", gus=3).on_stage("ann", ann=1).at(48)
    page = looks(at_table, None)
    of_a, of_b = part(page, 'id="rounds-A"', "</table>"), part(page, 'id="rounds-B"', "</table>")
    assert "Ann 2 A 0 left – Bob 0 left – – –" in of_a
    assert "Flo 0 left B – –" in of_a
    assert "Gus 3 most A+B 0 – 0 Hal 0 – 0 – 0" in of_b


def test_the_round_that_closes_by_itself_is_told_as_such(at_table: AtTable) -> None:
    page = part(looks(at_table.played(), None), 'aria-labelledby="rounds-title"')
    assert "Round 3 closed as it began, without any votes" in page


def test_when_the_play_is_over_nobody_is_a_link_to_a_vote(at_table: AtTable) -> None:
    assert "data-lot=" in looks(at_table, "gus")
    page = looks(at_table.played(), "gus")
    assert "data-lot=" not in page
    assert page.index('id="shares-title"') < page.index('id="endgame-title"') < page.index('id="part-more"')
    assert page.index('id="part-more"') < page.index('id="rounds-title"')


# -- secrets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [None, "bob", "kim", "zoe"])
def test_nobody_else_sees_that_somebody_has_voted(at_table: AtTable, who: str | None) -> None:
    before = everything(at_table, who)
    at_table.on_stage("ann", bob=2).for_b("ann", kim=3)
    assert everything(at_table, who) == before
    at_table.act("ann", withdraw("A"))
    assert everything(at_table, who) == before


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
    assert "Both together cost 1 garnet , taken when the round closes." in now
    assert (
        "If you do nothing more, your 3 votes on stage and your 3 votes for group B count when the round closes"
        in text_of(page)
    )
    assert filled(page, "vote_a") == {"ann": "2", "bob": "1"}
    assert filled(page, "vote_b") == {"gus": "2", "kim": "1"}
    assert "Take the stage votes back" in page
    assert "Take the votes for B back" in page


def test_who_has_nothing_sealed_is_told_what_that_means(at_table: AtTable) -> None:
    page = text_of(looks(at_table, "kim"))
    assert "If you do nothing, you vote for nobody in this round and keep your tokens." in page
    assert "A vote costs a token. You have 1 token ." in page
    assert "Take the" not in page


def test_the_garnet_for_both_is_told_before_it_is_due(at_table: AtTable) -> None:
    at_table.on_stage("ann", ann=1).on_stage("bob", bob=1)
    assert "Both kinds together cost 1 garnet ; you have 1." in text_of(looks(at_table, "ann"))
    poor = text_of(looks(at_table, "bob"))
    assert "Both kinds together cost 1 garnet , and you have 0: take the others back first." in poor


def test_sealing_answers_with_a_receipt_and_withdrawing_too(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    answer = ann.press(at_table.url, "vote_a", htmx=True, **{"votes[ann]": "2", "votes[bob]": "", "votes[cat]": "1"})
    assert answer["X-Match-Answer"] == "accepted"
    assert "Sealed for round 1: 2 for Ann, 1 for Cat; 14:00:00 UTC." in answer.content.decode()
    answer = ann.post(f"{at_table.url}act/", {"type": "withdraw", "kind": "A"}, headers={"HX-Request": "true"})
    assert "Your votes on stage are taken back, 14:00:00 UTC." in answer.content.decode()
    assert filled(looks(at_table, "ann"), "vote_a") == {}


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


def test_a_wrong_number_is_told_at_its_field(at_table: AtTable) -> None:
    answer = browser(at_table.users["ann"]).press(at_table.url, "vote_a", htmx=True, **{"votes[bob]": "-1"})
    field = re.search(r'<input id="([^"]+)"[^>]* name="votes\[bob\]"[^>]*>', answer.content.decode())
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert "1 or more" in part(answer.content.decode(), f'id="{field[1]}-error"', "</p>")


def test_the_forecast_says_what_is_left_and_what_both_cost(at_table: AtTable) -> None:
    at_table.for_b("ann", kim=3)
    sent = {"type": "vote_a", "votes[ann]": "2"}
    said = text_of(browser(at_table.users["ann"]).post(f"{at_table.url}preview/", sent).content.decode())
    assert said.startswith("2 votes on stage: 3 tokens would be left when the round has closed.")
    assert "With the votes of the other kind it costs 1 garnet ." in said


def test_where_both_kinds_cost_nothing_no_price_is_named(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, both_price=0).for_b("bob", kim=3)
    bob = browser(table.users["bob"])
    said = text_of(bob.post(f"{table.url}preview/", {"type": "vote_a", "votes[ann]": "1"}).content.decode())
    assert said == "1 vote on stage: 4 tokens would be left when the round has closed."
    assert "Both kinds together cost" not in text_of(bob.look(table.url))


def test_whom_votes_may_bring_tokens_is_told_that_they_come_to_what_is_left(at_table: AtTable) -> None:
    said = {}
    for name in ("ann", "gus"):
        sent = {"type": "vote_a", "votes[ann]": "1"}
        said[name] = text_of(browser(at_table.users[name]).post(f"{at_table.url}preview/", sent).content.decode())
    assert said["ann"].endswith("when the round has closed.")
    assert said["gus"].endswith("when the round has closed, besides what votes bring you in it.")


def test_ones_own_earlier_votes_stay_ones_own(at_table: AtTable) -> None:
    at_table.one_round()
    own = part(looks(at_table, "dan"), 'id="own-past"', "</details>")
    assert "Round 1 took nothing In group B: 2 for Gus, 1 for Hal" in own
    assert 'id="own-past"' not in looks(at_table, "zoe")


def test_the_history_calls_a_round_by_its_number_and_says_once_what_it_is(at_table: AtTable) -> None:
    page = text_of(browser().look(f"{at_table.one_round().url}history/"))
    assert re.search(r"Round 2 \([^)]*\) [^.]* Round 2 is open, with 3 players on stage\.", page)
    assert page.count("with 3 players on stage") == 1


# -- the end and the rules ---------------------------------------------------------------------------


def test_the_decision_is_asked_of_winners_and_told_to_all(at_table: AtTable) -> None:
    at_table.played()
    ann = text_of(looks(at_table, "ann"))
    assert "Give 2 of your Tokens of Life away, each to a different player." in ann
    assert "Vote for the Elimination Candidate. Your vote stays private." in ann
    ended = part(looks(at_table, None), 'aria-labelledby="group-A-title"')
    assert "Won An Ann Lost Bo Bob Ca Cat" in ended
    assert "until everything is decided in both groups" in ended
    assert "the winners are voting" in ended


def test_the_result_has_gifts_candidates_and_the_published_counts(at_table: AtTable) -> None:
    page = browser().look(f"{at_table.decided().url}result/")
    ended = part(page, 'aria-labelledby="group-A-title"')
    assert "An Ann won 3 Tokens of Life and keeps one of them" in ended
    assert "Given away Ev Eve Fl Flo" in ended
    assert "Elimination Candidate Ca Cat by votes" in ended
    assert "Bo Bob 0 Ca Cat 1" in ended
    left = part(page, 'aria-labelledby="left-title"')
    assert "An Ann won 3 2 1 0 2 garnets" in left
    assert "Da Dan 1 0" in left


def test_the_board_marks_winners_and_candidates(at_table: AtTable) -> None:
    assert "andidate" not in text_of(part(looks(at_table.played(), None), 'id="stage"'))
    at_table.act("gus", elect("jon")).act("ann", give("eve", "flo")).act("ann", elect("cat"))
    board = looks(at_table, None)
    stage, shares = (text_of(part(board, f'id="{which}"', "</section>")) for which in ("stage", "shares"))
    assert "Ann won Bob Cat Elimination candidate Dan Eve Flo" in stage
    assert "at the end Elimination candidate Ki Kim" in shares
    assert "left in round 2 Bo Bob Ca Cat , Elimination Candidate" in text_of(part(board, 'id="gallery"'))


def test_a_mass_win_is_told_to_bring_nothing(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, mass_win=5).at(48)
    ended = part(looks(table, None), 'aria-labelledby="group-B-title"')
    assert "all of them too: everybody is tied" in ended
    assert "None: 5 winners or more in a group get none." in ended


def test_of_many_who_were_last_three_are_shown_in_the_head(db: None, present: clock.FixedTime) -> None:
    board = looks(AtTable(present).at(48), None)
    last = part(board, 'id="stage-last"', "</p>")
    assert text_of(last) == "Last on it: An Ann Bo Bob Ca Cat +3 more"
    assert all(name in part(board, 'id="gallery"') for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Flo"))


def test_the_rules_have_the_matchs_own_numbers(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present, both_price=3, tokens_a=8, tokens_per_garnet=4, garnet_credit=True, round="12h")
    rules = text_of(browser().look(f"{table.url}rules/"))
    assert "begins with 8 tokens" in rules
    assert "each later one 12 h" in rules
    assert "cost 3 garnets , which may take your garnets below zero" in rules
    assert "one for every 4 tokens left" in rules


def test_the_rules_leave_nothing_open(at_table: AtTable) -> None:
    for rules in map(text_of, (browser().look(f"{at_table.url}rules/"), browser().look("/games/together_we_survive/"))):
        assert "players know their own, and only hosts can look them up" in rules
        assert "there are none, but they still win and vote" in rules
        assert "that player leaves in it, and group B gains nothing" in rules
        assert "A single loser becomes candidate without a vote" in rules
        assert "If there are only as many possible receivers as tokens to give, nobody is asked" in rules


@pytest.mark.django_db
def test_the_games_own_page_has_its_rules() -> None:
    assert "Two games at once" in browser().look("/games/together_we_survive/")


def test_beside_each_name_stand_the_last_votes_and_ones_own_among_them(at_table: AtTable) -> None:
    """Everything is public, but for the player's own votes: the same for two players who did the same."""
    at_table.one_round()
    rows = {
        who: part(looks(at_table, who), 'id="votes-title"', '<div id="part-panel"') for who in ("dan", "eve", "ida")
    }
    assert "Gus 2 last round, 2 yours" in rows["dan"]
    assert "Kim 6 last round, 3 yours" in rows["eve"]
    assert "Ann 2 last round Bob" in rows["ida"]
    assert "yours" not in rows["ida"]


def test_the_fields_are_unfolded_where_one_was_chosen_or_refused(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    folded = re.compile(r'id="rows-(vote_\w)"( open)?')
    assert dict(folded.findall(ann.look(at_table.url))) == {"vote_a": "", "vote_b": ""}
    assert dict(folded.findall(ann.look(f"{at_table.url}?lot=kim"))) == {"vote_a": "", "vote_b": " open"}
    refused = ann.press(at_table.url, "vote_a", htmx=True, **{"votes[ann]": "9"}).content.decode()
    assert dict(folded.findall(refused)) == {"vote_a": " open", "vote_b": ""}


def test_a_link_on_the_board_leads_to_the_row_of_that_player(at_table: AtTable) -> None:
    ann = browser(at_table.users["ann"])
    for handle in ("cat", GROUP_B[0]):
        row = re.search(r"<input[^>]*data-first-field[^>]*>", ann.look(f"{at_table.url}?lot={handle}"))
        assert row is not None
        assert f"votes[{handle}]" in row[0]
