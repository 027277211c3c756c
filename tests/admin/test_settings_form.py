"""The form of a match's settings: made from the game's options, and only what differs is kept."""

import re
from typing import Any

import pytest

from matches.admin.fields import field_of
from matches.engine.settings import Data
from matches.games.registry import all_games
from matches.models import Match, Submission
from tests.admin.conftest import Console, settings_form, text_of

pytestmark = pytest.mark.django_db
ADD = "/admin/matches/match/add/"


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.slug)
def test_every_option_of_every_game_has_a_field(game: Any) -> None:
    defaults = game.config_type.defaults({})
    for option in game.settings:
        field = field_of(game, option, defaults)
        assert field is not None, f"{game.slug} brings no field for {option.key}: add one to its config_fields.py"
        assert field.label
        if isinstance(option, Data):
            assert field.clean(field.widget.value_from_datadict({}, {}, "x")) is None


def test_only_what_differs_from_the_defaults_is_kept(console: Console) -> None:
    match = console.create(
        **{"config-variant": "F8", "config-chips": "16", "config-bid_timer": "1d", "config-garnet_credit": "no"}
    )
    assert match.config == {"variant": "F8"}


WRONG_VALUES = [
    ("chips", "many", "Enter a whole number from 0 to 1000000."),
    ("chips", "-1", "greater than or equal to 0"),
    ("columns", "2", "greater than or equal to 3"),
    ("bid_timer", "soon", "'soon' is not a time"),
    ("bid_timer", "0h", "Must be longer than 0."),
    ("first_seat", "ÄÖ", "Expected one capital letter from A to Z."),
    ("variant", "F99", "Please choose one of those shown."),
    ("garnet_credit", "perhaps", "Please choose one of those shown."),
    ("pregame_closes", "48h", "Cannot be later than the end of the pregame."),
    ("rows", "8", "columns times rows may be at most 26"),
    ("prizes-O-garnets", "lots", "O, garnets: enter a whole number"),
    ("prizes-O-priority", "-3", "O, priority: enter a whole number"),
    ("prizes-O-garnets", "٣", "O, garnets: enter a whole number"),
]


def test_a_wrong_value_is_told_at_its_field(console: Console) -> None:
    for key, typed, said in WRONG_VALUES:
        answer = console.client.post(ADD, settings_form(**{key: typed}))
        assert answer.status_code == 200
        page = text_of(answer)
        field = key.split("-")[0]
        errors = re.search(rf'id="id_config-{field}_error">(.*?)</div>', page, re.DOTALL)
        assert errors is not None, page
        assert said in errors[1]
        assert not Match.objects.exists()


def test_all_wrong_values_are_told_in_one_go(console: Console) -> None:
    wrong = settings_form(title="", chips="many", rows="8", pregame_closes="48h")
    page = text_of(console.client.post(ADD, wrong))
    fields = re.findall(r'id="id_(\w[\w-]*)_error"', page)
    assert fields == ["title", "config-chips", "config-rows", "config-pregame_closes"]


class TestADraft:
    def test_it_is_the_only_thing_whose_settings_change(self, console: Console, running: Match) -> None:
        for answer in (
            console.client.get(f"{console.address}/settings/"),
            console.client.post(f"{console.address}/settings/", settings_form(chips="99")),
        ):
            assert answer.status_code == 302
        running.refresh_from_db()
        assert running.config == {}
        assert not Submission.objects.filter(payload__contains='"update"').exists()
        assert "You can change settings only in drafts" in console.page()
