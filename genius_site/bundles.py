"""Style sheets, scripts and drawings are many small files in the source, and few bigger ones for browsers.

The finder below offers the bundles beside all other static files: `collectstatic` stores them with hashed names and
compressed, a local site serves them as they are. No tool is needed, and little is rewritten: a bundle is its files,
one after the other, without their comments, which are a third of what would go over the network.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from matches.pages.styles import bundles

_LIBRARIES = "vendor/"
_CSS_COMMENT = re.compile(r"/\*.*?\*/|^[ \t]+", re.DOTALL | re.MULTILINE)
# Drawings are shown by <use> alone: a browser need not style and lay out those of the file as well. At the root itself
# browsers do not heed this.
_SPRITE = '<svg xmlns="http://www.w3.org/2000/svg"><svg display="none">{}</svg></svg>\n'
_LINE_OF_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)


def bundled(parts: tuple[str, ...]) -> str:
    """The text of a bundle of these static files. Raises `FileNotFoundError` for a file that is not there."""
    text = "".join(_part(name, _source(name)) for name in parts)
    return _SPRITE.format(text) if parts[0].endswith(".svg") else text


def _part(name: str, text: str) -> str:
    if name.endswith(".svg"):
        return text[text.index(">") + 1 : text.rindex("</svg>")]
    if not name.endswith(".js"):
        return f"/* {name} */\n{_CSS_COMMENT.sub('', text)}\n"
    if name.startswith(_LIBRARIES):
        return f"{text}\n;\n"
    text = _LINE_OF_COMMENT.sub("", text)
    # A scope of its own, as in a file of its own; and if it fails, the scripts after it run all the same.
    return f'// {name}\n(() => {{\n"use strict";\ntry {{\n{text}\n}} catch (error) {{ reportError(error); }}\n}})();\n'


def _source(name: str) -> str:
    path = finders.find(name)
    if not path:
        raise FileNotFoundError(f"no static file {name}")
    return Path(path).read_text("utf-8")


class BundleFinder(finders.BaseFinder):
    """Finds the bundles, made again whenever somebody asks, so that a change of a file shows without a restart."""

    _turn = threading.Lock()

    @cached_property
    def _storage(self) -> FileSystemStorage:
        folder = tempfile.mkdtemp(prefix="genius-bundles-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return FileSystemStorage(location=folder)

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Where the bundle of this name is, as Django asks its finders."""
        parts = bundles().get(path)
        if parts is None:
            return []
        found = self._made(path, parts)
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, Any]]:
        """Every bundle, and where it is stored."""
        for path, parts in bundles().items():
            self._made(path, parts)
            yield path, self._storage

    def check(self, **kwargs: Any) -> Any:
        """Nothing can be set up wrongly."""
        return []

    def _made(self, path: str, parts: tuple[str, ...]) -> str:
        text, place = bundled(parts), Path(self._storage.path(path))
        with self._turn:
            if not place.exists() or place.read_text("utf-8") != text:
                place.parent.mkdir(exist_ok=True)
                new = place.with_suffix(".new")
                new.write_text(text, "utf-8")
                new.replace(place)  # nobody reads half of it
        return str(place)
