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
    assert "You have saved the players." in text_of(console.client.get(answer.url))


def test_what_is_wrong_in_the_table_is_shown_before_going_on(console: Console, draft: Match, players: Any) -> None:
    answer = console.client.post(f"{console.address}/change/", typed("publish", "ann", "nobody"))
    assert answer.status_code == 200
    assert "There is nobody called nobody" in text_of(answer)
    assert 'value="ann"' in text_of(answer)
