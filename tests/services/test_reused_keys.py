"""A key belongs to one request: no other match is taken for the one that is to be made with it."""

from typing import Any

import pytest

from matches.games.registry import all_games
from matches.models import Match, Player
from matches.services.creation import create_match, duplicate
from matches.services.errors import KeyConflict
from matches.services.replay import verify
from seasons.services.running import add_match
from tests.access.cast import START, cast_at
from tests.fixtures.any_game import SLUG, SMALL

pytestmark = pytest.mark.django_db


def test_a_key_that_made_another_match_is_refused_and_changes_nothing() -> None:
    with cast_at(START) as cast:
        host, season = cast.people["host"], cast.seasons["open"]
        for status in ("open", "finished"):
            match = cast.matches[status]
            key = match.log.get(number=1).key or "form"
            match.log.filter(number=1).update(key=key)
            before = _stored(match)
            with pytest.raises(KeyConflict):
                add_match(season, host, SLUG, key=key)
            with pytest.raises(KeyConflict):
                duplicate(match, host, key=key)
            assert _stored(match) == before
            match.log.filter(number=1).update(key="")
        match = add_match(season, host, SLUG, config=SMALL, key="once")
        assert add_match(season, host, SLUG, config=SMALL, key="once") == match
        for again in (
            lambda: add_match(season, host, next(slug for slug in all_games() if slug != SLUG), key="once"),
            lambda: create_match(SLUG, "Alone", by=host, key="once"),
            lambda: duplicate(match, host, key="once"),
        ):
            with pytest.raises(KeyConflict):
                again()
        named = create_match(SLUG, "First", by=host, key="named")
        assert create_match(SLUG, "First", by=host, key="named") == named
        with pytest.raises(KeyConflict):
            create_match(SLUG, "Second", by=host, key="named")
        draft = duplicate(match, host, key="twice")
        assert duplicate(match, host, key="twice") == draft


def test_a_player_who_is_not_in_the_opening_is_found() -> None:
    with cast_at(START) as cast:
        for status in ("open", "finished"):
            match = cast.matches[status]
            assert verify(match) == []
            Player.objects.create(match=match, handle="accomplice", user=cast.people["stranger"], position=99)
            assert "accomplice does not match the log's opening." in verify(match)


def _stored(match: Match) -> list[Any]:
    match.refresh_from_db()
    rows = match.log.order_by("number").values_list("number", "hash")
    return [match.log_head, match.closed_head, *rows, *match.players.order_by("pk").values_list("pk", "handle")]
