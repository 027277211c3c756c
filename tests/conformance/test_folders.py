"""What each game's folder must hold besides rules that conform."""

import json
import re
from pathlib import Path

from matches import games
from matches.engine.game import AnyGame
from tests.conformance.subjects import every_game, folder_of

ROOT = Path(games.__file__).parent


@every_game
def test_there_is_a_page_of_rules_and_a_file_on_where_they_come_from(game: AnyGame) -> None:
    assert game.title in (folder_of(game) / "README.md").read_text(), (
        "README.md: what is it, where do its rules come from?"
    )
    rules = (folder_of(game) / "templates" / "games" / game.slug / "rules.html").read_text()
    assert len(re.sub(r"<[^>]*>|{.*?}", " ", rules).split()) > 40, "rules.html says too little to play by it"


@every_game
def test_templates_and_static_files_stand_in_folders_of_the_games_name(game: AnyGame) -> None:
    for kind in ("templates", "static"):
        top = folder_of(game) / kind
        for path in top.rglob("*") if top.exists() else ():
            if path.is_file():
                assert path.relative_to(top).parts[:2] == ("games", game.slug), f"move it to {kind}/games/{game.slug}/"


@every_game
def test_what_every_game_shows_in_its_own_way_has_its_template(game: AnyGame) -> None:
    names = ["board", "act", "rules", *(["ask", "answer"] if game.questions else [])]
    wanted = [f"templates/games/{game.slug}/{name}.html" for name in names]
    missing = [path for path in wanted if not (folder_of(game) / path).is_file()]
    assert not missing, f"write {missing} (docs/match-types.md, Templates)"


@every_game
def test_everybody_who_may_sit_down_is_marked_as_oneself(game: AnyGame) -> None:
    """The shared style sheet marks the viewer's own things by their place in the list."""
    style = (ROOT.parent.parent / "static" / "css" / "match.css").read_text()
    last = game.sizes.most - 1
    assert f'[data-me="{last}"] [data-owner~="{last}"]' in style, "static/css/match.css marks fewer players: add rules"


@every_game
def test_hosts_can_understand_every_setting(game: AnyGame) -> None:
    keys = [option.key for option in game.settings]
    assert len(set(keys)) == len(keys)
    assert all(option.label for option in game.settings)
    assert game.title
    assert game.summary.endswith("."), "the summary is a sentence"
    readme = (folder_of(game) / "README.md").read_text()
    assert all(name in readme for name in game.designers), "README.md: name the designers"
    assert game.sizes.least <= game.sizes.usual[0] <= game.sizes.usual[1] <= game.sizes.most
    assert len(game.first_settings) <= 5
    assert set(game.first_settings) <= {setting.key for setting in game.settings}


@every_game
def test_defaults_and_presets_read_back_to_the_same(game: AnyGame) -> None:
    for config in ({}, *game.presets.values()):
        typed = game.read_config(config)
        full = json.loads(json.dumps(typed.write(), allow_nan=False))
        assert set(full) == {option.key for option in game.settings}
        assert game.read_config(full) == typed
