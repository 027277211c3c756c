"""A match made from another one: duplicates, and what they leave out."""

import re
from typing import Any

import pytest

from matches.models import Match
from matches.services.creation import create_match
from tests.admin.conftest import Console, text_of

pytestmark = pytest.mark.django_db


def places(match: Match) -> list[tuple[Any, ...]]:
    return [(p.handle, p.user_id, p.is_bot, p.position, p.garnets) for p in match.players.all()]


def test_a_running_match_is_repeated_in_five_clicks(console: Console, running: Match, players: list[Any]) -> None:
    lists = text_of(console.client.get("/admin/matches/match/"))
    page = text_of(console.client.get(re.search(r'href="([^"]*/duplicate/)"', lists)[1]))  # type: ignore[index]
    key = re.search(r'name="key" value="([^"]+)"', page)[1]  # type: ignore[index]
    send = {"people": "seated", "key": key}
    answer = console.client.post(f"{console.address}/duplicate/", send)
    draft = Match.objects.get(title="Night table 2")
    assert answer.url == f"/admin/matches/match/{draft.pk}/change/"
    assert console.client.post(f"{console.address}/duplicate/", send).url == answer.url  # a second click makes no third
    assert draft.status == "draft"
    assert draft.config == running.config
    assert list(draft.hosts.all()) == list(running.hosts.all())
    assert places(draft) == places(running)
    assert draft.seed != running.seed
    assert not draft.state
    console.match = draft
    shown = console.page()
    assert "Everything is ready" in shown
    start = re.search(
        r'name="starts_at" value="([^"]+)"', text_of(console.client.get(f"{console.address}/do/publish/"))
    )
    assert start
    assert "You have published the match." in console.do("publish", starts_at=start[1], open_places="wait")
    assert "You have published" not in console.do("set_start", starts_at=start[1], open_places="wait")
    assert "set the start to" in text_of(console.client.get(f"{draft.get_absolute_url()}history/"))


def test_somebody_who_may_not_play_any_more_leaves_an_open_place(
    console: Console, running: Match, players: list[Any], other_host: Any
) -> None:
    players[0].is_active = False
    players[0].save()
    console.client.post(f"{console.address}/duplicate/", {"people": "seated"})
    again = Match.objects.get(title="Night table 2")
    assert next((p.handle, p.user_id) for p in again.players.all()) == ("ann", None)
    assert again.players.filter(user__isnull=False).count() == 2


def test_what_is_set_in_place_of_a_draw_is_not_used_again(console: Console, host: Any) -> None:
    order = list(range(1, 51))
    config = {"numbers": order, "decision_time": "5h"}
    console.match = create_match("number_auction", "Fixed", by=host, config=config)
    said = text_of(console.client.get(f"{console.address}/duplicate/"))
    assert "Not copied, because a host set it in place of a draw: the order of the numbers." in said
    console.client.post(f"{console.address}/duplicate/", {"people": "seated"})
    assert Match.objects.get(title="Fixed 2").config == {"decision_time": "5h"}
