"""`manage.py startmatchtype`: creates the skeleton of a new match type, whose tests fail until it is filled in."""

import re
from argparse import ArgumentParser
from pathlib import Path
from string import Template
from typing import Any

from django.core.management import BaseCommand, CommandError

from matches import games

SKELETON = Path(__file__).parent.parent / "skeleton"

FILES = {
    "__init__.py": "__init__.py",
    "game.py": "game.py",
    "README.md": "README.md",
    "templates/games/{slug}/board.html": "board.html",
    "templates/games/{slug}/act.html": "act.html",
    "templates/games/{slug}/rules.html": "rules.html",
    "tests/scenarios/first_match.json": "scenario.json",
    "tests/expected/first_match.json": "expected.json",
}
"""Path in the new folder -> the skeleton's file for it."""

_SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST_SLUG = 40


class Command(BaseCommand):
    help = "Make the folder of a new match type in matches/games/. Its tests fail until you have filled it in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the folder's name, such as second_price")

    def handle(self, *, slug: str, **options: Any) -> None:
        if _SLUG.fullmatch(slug) is None or len(slug) > _LONGEST_SLUG:
            raise CommandError(
                f"A slug has up to {_LONGEST_SLUG} lowercase letters and digits, with words joined by _."
            )
        folder = Path(games.__file__).parent / slug
        try:
            make(slug, folder, f"{games.__name__}.{slug}")
        except FileExistsError:
            raise CommandError(f"The folder {folder} already exists.") from None
        self.stdout.write(
            f"Made {folder}. Now see what is missing, one thing at a time: "
            f".venv/bin/python -m pytest -x --tb=line tests/conformance -k {slug}"
        )


def make(slug: str, folder: Path, package: str) -> None:
    """Write the skeleton of a match type to a new folder, to be imported as `package`. Raises `FileExistsError`."""
    folder.mkdir(parents=True)
    words = slug.split("_")
    values = {
        "slug": slug,
        "package": package,
        "title": " ".join(word.capitalize() for word in words),
        "name": "".join(word.capitalize() for word in words),
    }
    for name, made_from in FILES.items():
        path = folder / name.format(slug=slug)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template((SKELETON / f"{made_from}.txt").read_text()).substitute(values))
