"""A match's page in the console: nothing typed is lost, and what one needs to know is said once, in words."""

import re
from typing import Any

from matches.models import Match
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
    assert answer.url == f"{console.address}/do/publish/#"
    assert set(draft.players.values_list("handle", flat=True)) == {"ann", "bob"}
    assert "Players saved." in text_of(console.client.get(answer.url))


def test_what_is_wrong_in_the_table_is_shown_before_going_on(console: Console, draft: Match, players: Any) -> None:
    answer = console.client.post(f"{console.address}/change/", typed("publish", "ann", "nobody"))
    assert answer.status_code == 200
    assert "There is nobody called nobody" in text_of(answer)
    assert 'value="ann"' in text_of(answer)


def test_everything_that_is_wrong_with_the_players_is_said_at_once(
    console: Console, draft: Match, players: Any
) -> None:
    page = console.save_players([{"person": "hanna"}, {"person": "ann"}, {"person": "ann"}])
    assert "hanna hosts this match, and a host never plays in it." in page
    assert "ann cannot play twice in one match." in page


def test_a_cancelled_match_shows_what_can_still_be_done(console: Console, running: Match) -> None:
    console.do("cancel", reason="Nobody has time.")
    page = console.page()
    assert "What you can still do" in page
    assert "Correct a balance…" in page
    assert ">Before the auction</span>" not in page
    ann = running.players.get(handle="ann")
    console.do("correct", player=ann.pk, asset="garnet", amount="2", reason="Carried out.")
    assert ann.holdings.get(asset="garnet").amount == 7
