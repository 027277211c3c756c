"""What is stored of matches and seasons is written by their services alone, which lock, write the log and tell people.

A queryset's `update`, or a model's `save`, anywhere else would change a game without a trace. It is found by its looks:
a call that writes, on a model of a game, on what leads to its rows, or on anything in these two apps.
"""

import ast
import re
from collections.abc import Iterator
from itertools import chain

from django.apps import apps

from tests.architecture.files import File, files, in_tests

GAMES = ("matches", "seasons")
WRITERS = ("matches/services/", "seasons/services/")
APPS = ("accounts/", "chat_commands/", "genius_site/", "notes/", "matches/", "notices/", "practice/")
APPS += ("seasons/", "talk/")
OF_MANAGERS = {"update", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
OF_ROWS = {"save", "delete"}
SQL = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+\"?(?:matches|seasons)_\w+", re.IGNORECASE)

MAY_WRITE = {
    "matches/infra/db_waits.py": "what its callers give it, a few rows at a time",
    "matches/demo/people.py": "people, who are no game",
    "matches/demo/season.py": "people",
    "matches/web/spoilers.py": "what a person has chosen for their account",
    "notices/outbox.py": "rows of the outbox that are passed on: a queue, of which nothing is proved",
    "seasons/notices.py": "which news are passed on and can go: a queue as well",
    "seasons/demo.py": "the same, of the demo's own past",
}


def models() -> set[str]:
    """The classes of what games store."""
    return {model.__name__ for app in GAMES for model in apps.get_app_config(app).get_models()}


def ways_there() -> set[str]:
    """The names by which other rows lead to theirs, such as `players`."""
    related = (model._meta.related_objects for app in GAMES for model in apps.get_app_config(app).get_models())
    theirs = (each for each in chain(*related) if each.related_model._meta.app_label in GAMES)
    return {str(each.get_accessor_name()) for each in theirs} - {"+"}


def writes(file: File) -> Iterator[str]:
    """Where a file changes what a game has stored."""
    at_home = file.path.startswith(tuple(f"{app}/" for app in GAMES))
    tree = ast.parse(file.text)
    known, there = models() if at_home else models() & set(_from_games(tree)), ways_there()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
            yield f"{file.path}:{node.lineno} writes by SQL"
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, names = node.func.attr, set(_names(node.func.value))
        reached = names & {f".{way}" for way in there}
        of_a_game = bool(names & known or reached)
        if name in OF_MANAGERS and (names & {".objects", "._default_manager"} or reached):
            found = (at_home or of_a_game) and not (name == "update" and node.args)
        elif name in OF_ROWS:
            found = (at_home and "super" not in names) or of_a_game
        else:
            found = False
        if found:
            yield f"{file.path}:{node.lineno} {name}s"


def _from_games(tree: ast.Module) -> Iterator[str]:
    """What is imported from the models of games; others may have models of the same names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and re.match(r"(?:matches|seasons)\.models\b", node.module or ""):
            yield from (each.name for each in node.names)


def _names(node: ast.expr) -> Iterator[str]:
    """The names along a chain such as `Match.objects.filter(…)`: Match, .objects, .filter."""
    while True:
        if isinstance(node, ast.Attribute):
            yield f".{node.attr}"
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            if isinstance(node, ast.Name):
                yield node.id
            return


def _elsewhere() -> list[File]:
    ours = [file for file in files(".py", under=APPS) if not in_tests(file.path) and "/migrations/" not in file.path]
    return [file for file in ours if not file.path.startswith(WRITERS)]


def test_services_alone_write_what_games_store() -> None:
    found = {file.path: list(writes(file)) for file in _elsewhere()}
    assert len(found) > 300
    assert [fault for path, faults in found.items() if path not in MAY_WRITE for fault in faults] == []
    assert [path for path in MAY_WRITE if not found.get(path)] == [], "an exception that nothing needs any more"


def test_services_do_write() -> None:
    """There is something to look at."""
    assert any(list(writes(file)) for file in files(".py", under=WRITERS))
