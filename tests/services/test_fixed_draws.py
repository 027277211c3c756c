"""What hosts have set instead of having it drawn is told to everybody: that it is set and by whom, not to what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from matches.models import Match
from matches.models.clock import FixedTime
from matches.queries.feed import feed
from matches.queries.match_info import info_json
from matches.services import creation, hosting, joining
from matches.services.fixed_draws import fixed_draws
from tests.engine.tiny_game import GAME, TinyGame
from tests.services.conftest import person


@pytest.fixture
def drawn_prize(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny game, as if its prize were drawn where nobody sets it."""
    settings = [
        msgspec.structs.replace(each, draw="the prize" if each.key == "prize" else "") for each in GAME.settings
    ]
    monkeypatch.setattr(TinyGame, "settings", settings)


def draft(host: Any, **config: Any) -> Match:
    return creation.create_match("tiny", "Spoons", by=host, config=config)


def test_it_is_told_before_the_start_and_at_the_opening(db: None, present: FixedTime, client: Any) -> None:
    dora = person("dora")
    order = [*range(50, 0, -1)]
    match = creation.create_match("number_auction", "Downwards", by=dora, config={"numbers": order})
    for handle in ("ann", "bob", "cat"):
        joining.add_player(match, handle, is_bot=True)
    hosting.publish(match, dora, present.instant + timedelta(hours=1))
    match.refresh_from_db()
    said = "dora has set the order of the numbers: it is not drawn."
    for address in (match.get_absolute_url(), f"{match.get_absolute_url()}rules/"):
        page = client.get(address).content.decode()
        assert said in page
        assert "50, 49" not in page
    answer = client.get(f"/api/v1/matches/{match.public_id}/")
    assert answer.json()["match"]["fixed"] == [{"what": "the order of the numbers", "by": "dora"}]
    assert "50,49" not in answer.content.decode()
    hosting.start_now(match, dora)
    match.refresh_from_db()
    assert said in feed(match, None)[-1].text
    assert said in client.get(match.get_absolute_url()).content.decode()


@pytest.mark.usefixtures("drawn_prize")
def test_it_names_the_host_who_set_it_last(db: None, present: FixedTime) -> None:
    dora, olaf, pia = (person(name) for name in ("dora", "olaf", "pia"))
    match = draft(dora, prize="garnet")
    match.hosts.add(olaf, pia)
    creation.update_draft(match, olaf, config={"prize": "nothing"})
    creation.update_draft(match, pia, title="Forks", config={"prize": "nothing"})
    match.refresh_from_db()
    assert [each.by for each in fixed_draws(match)] == ["olaf"]
    creation.update_draft(match, pia, config={})
    match.refresh_from_db()
    assert fixed_draws(match) == ()
    assert info_json(match)["fixed"] == []


@pytest.mark.usefixtures("drawn_prize")
def test_a_match_that_no_person_made_names_nobody(db: None, present: FixedTime) -> None:
    match = creation.create_match("tiny", "Spoons", hosts=(person("dora"),), config={"prize": "nothing"})
    assert [each.sentence for each in fixed_draws(match)] == ["A host has set the prize: it is not drawn."]


def test_what_is_drawn_is_not_mentioned(table: Any) -> None:
    assert fixed_draws(table.match) == ()
    assert "not drawn" not in feed(table.match, None)[-1].text
