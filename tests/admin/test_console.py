"""A match's page in the console: nothing typed is lost, and what one needs to know is said once, in words."""

from __future__ import annotations

import re
from typing import Any

from matches.admin.console import _asked
from matches.engine.views import Ask, PrivateView
from matches.models import Match
from matches.services.creation import create_match, update_draft
from matches.services.hosting import start_now
from matches.services.joining import add_player
from tests.admin.conftest import Console, text_of


def typed(then: str, *people: str) -> dict[str, Any]:
    """The table of players as a browser sends it by the button that goes on to another page."""
    rows = {f"players-{number}-person": name for number, name in enumerate(people)}
    return {"players-TOTAL_FORMS": len(people), "players-INITIAL_FORMS": 0, "then": then, **rows}


def test_people_typed_in_are_saved_on_the_way_to_publishing(console: Console, draft: Match, players: list[Any]) -> None:
    page = console.page()
    for name in ("publish", "start", "settings", "preview"):
        assert re.search(rf'<button type="submit"[^>]*name="then"\s+value="{name}"', page), name
    answer = console.client.post(f"{console.address}/change/", typed("publish", "ann", "bob"))
    assert answer.url == f"{console.address}/do/publish/"
    assert set(draft.players.values_list("handle", flat=True)) == {"ann", "bob"}
    assert "The players are saved." in text_of(console.client.get(answer.url))


def test_what_is_wrong_in_the_table_is_shown_before_going_on(console: Console, draft: Match, players: Any) -> None:
    answer = console.client.post(f"{console.address}/change/", typed("publish", "ann", "nobody"))
    assert answer.status_code == 200
    assert "There is nobody called nobody" in text_of(answer)
    assert 'value="ann"' in text_of(answer)


def test_a_table_that_nobody_touched_is_left_without_a_word(console: Console, draft: Match) -> None:
    answer = console.client.post(f"{console.address}/change/", typed("settings"))
    assert answer.url == f"{console.address}/settings/"
    assert "are saved" not in text_of(console.client.get(answer.url))


def test_everything_that_is_wrong_with_the_players_is_said_at_once(
    console: Console, draft: Match, players: Any
) -> None:
    page = console.save_players([{"person": "hanna"}, {"person": "ann"}, {"person": "ann"}])
    assert "hanna hosts this match, and a host never plays in it." in page
    assert "ann cannot play twice in one match." in page


def test_the_head_says_phase_and_round(console: Console, host: Any) -> None:
    match = create_match("number_auction", "Fifty", hosts=(host,))
    for handle in ("ann", "bob", "cat"):
        add_player(match, handle, is_bot=True)
    start_now(match, host)
    console.match = match
    assert '<span class="badge badge--outline">Round 1 of 10</span>' in console.page()


def test_the_head_says_what_everybody_is_told_that_the_host_has_set(console: Console, draft: Match) -> None:
    console.match = create_match(
        "number_auction", "Down", by=draft.hosts.get(), config={"numbers": [*range(50, 0, -1)]}
    )
    assert "Everybody is told: “hanna has set the order of the numbers: it is not drawn.”" in console.page()


def test_the_head_says_the_phase_where_there_is_no_round(console: Console, running: Match) -> None:
    assert '<span class="badge badge--outline">Before the auction</span>' in console.page()


def test_the_table_begins_with_name_and_seal(console: Console, running: Match) -> None:
    table = re.search(r'<table class="console__table">.*?</table>', console.page(), re.DOTALL)
    assert table is not None
    heads = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)</th>", table[0])
    assert heads == ["Player", "Sealed", "Asked now", "priority", "Who"]


def test_what_is_asked_is_said_once() -> None:
    private = PrivateView(handle="ann", balances={}, asked=(Ask("bid", "Bid."), Ask("buy", "Buy.")))
    assert _asked(private) == ["may act"]
    assert _asked(None) == []


def test_a_cancelled_match_shows_what_can_still_be_done(console: Console, running: Match) -> None:
    console.do("cancel", reason="Nobody has time.")
    page = console.page()
    assert "What you can still do" in page
    assert "Correct a balance…" in page
    assert ">Before the auction</span>" not in page
    ann = running.players.get(handle="ann")
    console.do("correct", player=ann.pk, asset="garnet", amount="2", reason="Carried out.")
    assert ann.holdings.get(asset="garnet").amount == 7


def test_the_log_says_changes_in_words(console: Console, draft: Match) -> None:
    host = draft.hosts.get()
    match = create_match("number_auction", "Fifty", by=host)
    console.match = match
    update_draft(match, host, config={"tokens": 90, "numbers": [*range(50, 0, -1)]})
    page = console.page()
    assert "tokens as usual → 90" in page
    assert "numbers as usual → 50, 49, 48" in page
    assert "[50" not in page
