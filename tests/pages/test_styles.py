"""Which style sheets a page loads, and in which order, is said in one place."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from genius_site.bundles import bundled
from matches.games.registry import all_games
from matches.pages.styles import DRAWINGS, bundles, folder_of, glance_sheets, script_for_match, sheets_of_game

LINK = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
KINDS = (
    *("", "lists", "game", "match", "replay", "preview", "talk", "person", "season", "account", "hosting"),
    "styleguide",
)
MOST = 2
"""How many bundles of sheets a page asks for."""

# Stand alone when everything else is broken.
ALONE = ("broken.html",)


def asked_for(kind: str, game: str = "") -> list[str]:
    """What all pages share, but for hosts' pages, and what this kind has besides."""
    kinds = [kind] if kind in ("", "hosting") else ["", kind]
    return [
        sheet
        for each in kinds
        for sheet in LINK.findall(render_to_string("includes/stylesheets.html", {"styles_for": each, "game": game}))
    ]


def loaded(kind: str, game: str = "") -> list[str]:
    return [sheet for bundle in asked_for(kind, game) for sheet in bundles()[bundle]]


def test_every_sheet_is_loaded_by_some_page() -> None:
    ours = {f"css/{path.name}" for path in (settings.BASE_DIR / "static" / "css").glob("*.css")}
    assert {name for kind in KINDS for name in loaded(kind)} >= ours


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", all_games())
def test_a_page_loads_few_sheets_and_each_once_tokens_first(kind: str, game: str) -> None:
    names = loaded(kind, game)
    assert names[0] == "css/tokens.css"
    assert len(names) == len(set(names))
    assert len(asked_for(kind, game)) <= MOST
    assert [name for name in names if not finders.find(name)] == []


def test_a_game_brings_its_sheets_to_its_own_pages_and_its_glance_to_lists() -> None:
    for game in all_games():
        board = f"games/{game}/board.css"
        assert loaded("match", game)[-len(sheets_of_game(game)) :] == list(sheets_of_game(game))
        assert board in loaded("match", game)
        assert board not in loaded("lists", game)
        assert not any(name.endswith("/hosting.css") for name in loaded("match", game))
    assert set(glance_sheets()) <= set(loaded("lists"))
    assert glance_sheets() != ()


def test_a_game_without_styles_needs_none() -> None:
    assert sheets_of_game("chess") == ()


def test_no_template_loads_a_sheet_by_itself() -> None:
    folders = [settings.BASE_DIR / "templates", *(path / "templates" for path in settings.GAME_DIRS)]
    found = [path for folder in folders for path in Path(folder).rglob("*.html") if 'stylesheet"' in path.read_text()]
    assert {path.name for path in found} == {"stylesheets.html", *ALONE}


@pytest.mark.parametrize("page", ALONE)
def test_a_page_that_stands_alone_loads_sheets_that_are_there_in_the_same_order(page: str) -> None:
    names = LINK.findall((settings.BASE_DIR / "templates" / page).read_text())
    usual = [name for name in loaded("") if name in names]
    assert names == usual
    assert len(names) > 3


# -- bundles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", bundles())
def test_a_bundle_is_its_files_one_after_the_other(name: str) -> None:
    path = finders.find(name)
    assert path
    text = Path(path).read_text("utf-8")
    assert text == bundled(bundles()[name])
    places = [text.index(_content(part, Path(str(finders.find(part))).read_text("utf-8"))) for part in bundles()[name]]
    assert places == sorted(places)


COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INDENTED = re.compile(r"^[ \t]+", re.MULTILINE)


def _content(name: str, text: str) -> str:
    """Of a file, what is in a bundle: drawings without the element around them, the others without comments, but
    libraries as they are."""
    if name.startswith("vendor/"):
        return text
    if name.endswith(".css"):
        return INDENTED.sub("", COMMENT.sub("", text))
    if name.endswith(".js"):
        return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("//"))
    return text.removesuffix("</svg>\n").partition('<svg xmlns="http://www.w3.org/2000/svg">')[2] or text


def test_icons_and_marks_are_drawn_in_one_file_by_different_names() -> None:
    sources = [Path(str(finders.find(part))) for part in bundles()[DRAWINGS]]
    drawn = [[symbol.get("id") for symbol in _symbols(path.read_text("utf-8"))] for path in sources]
    bundle = [symbol.get("id") for symbol in _unseen(bundled(bundles()[DRAWINGS]))]
    assert bundle == [name for names in drawn for name in names]
    assert len(bundle) == len(set(bundle))


def _symbols(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314


def _unseen(svg: str) -> ElementTree.Element:
    """What is drawn in a file for <use> alone. Chromium lays it out beside each page unless it is within an inner <svg>
    that is not shown; a <g> would not do."""
    (inner,) = _symbols(svg)
    assert (inner.tag, inner.get("display")) == ("{http://www.w3.org/2000/svg}svg", "none")
    return inner


@pytest.mark.parametrize("game", all_games())
def test_browsers_need_not_lay_out_a_games_drawings(game: str) -> None:
    for path in folder_of(game).glob("*.svg"):
        assert len(_unseen(path.read_text("utf-8")))


def test_bundles_are_collected_like_other_files() -> None:
    listed = {path for finder in finders.get_finders() for path, _ in finder.list(None)}
    assert listed >= set(bundles())


def test_a_games_script_is_in_the_bundle_of_its_matches_alone() -> None:
    for game in all_games():
        parts = bundles()[script_for_match(game)]
        assert [part for part in parts if part.startswith("games/")] == [f"games/{game}/board.js"]
    assert script_for_match("chess") == "bundles/match.js"


def test_a_bundle_without_one_of_its_files_is_a_fault() -> None:
    with pytest.raises(FileNotFoundError, match="css/no-such-sheet"):
        bundled(("css/tokens.css", "css/no-such-sheet.css"))


def test_no_text_of_a_bundle_looks_like_a_comment() -> None:
    """Lines of comments are left out of scripts by how they begin, so none may be in a text of several lines."""
    for name in {part for parts in bundles().values() for part in parts if not part.startswith("vendor/")}:
        source = Path(str(finders.find(name))).read_text("utf-8")
        texts = re.findall(r"`[^`]*`" if name.endswith(".js") else r"\"[^\"]*\"|'[^'\n]*'", COMMENT.sub("", source))
        assert [text for text in texts if re.search(r"^\s*//|/\*", text, re.MULTILINE)] == [], name


def test_bundled_scripts_stand_alone() -> None:
    """Each has a scope of its own in its bundle, where nothing can be imported or exported."""
    scripts = {part for name, parts in bundles().items() if name.endswith(".js") for part in parts}
    assert len(scripts) > 10
    for part in scripts:
        assert not re.search(r"^(import|export)\b", Path(str(finders.find(part))).read_text("utf-8"), re.MULTILINE), (
            part
        )
