"""What scripts keep in a browser is known, each with what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.files import File, files, in_tests

KEPT = {
    "static/js/act.js: sessionStorage.setItem(storeName(form), key)": "a random key, while the answer to a form is out",
    'static/js/aloud.js: localStorage.setItem(KEPT_AS, asks.checked ? "1" : "0")': "whether bids are read out",
    "static/js/clock.js: document.cookie = ": "the browser's time zone",
    "static/js/controls.js: sessionStorage.setItem(PLACE, button)": "the button that was pressed, until the next page",
    "static/js/notes.js: localStorage.setItem(storeName, until)": "when a visitor has last read what hosts say to all",
    "static/js/practice.js: sessionStorage.setItem(KEPT, JSON.stringify(others))": "what is typed in practice",
    "static/js/presence.js: localStorage.setItem(NAME, String(now))": "when a page last said that somebody is here",
    "static/js/unsent.js: sessionStorage.setItem(NAME, JSON.stringify([...unsent]))": (
        "what a player has typed and not sent, in this tab, until its round ends or the tab is closed"
    ),
    "static/js/push-worker.js: caches.open(CACHE)": "the token by which this browser renews its own push subscription",
    "static/js/push.js: caches.open(": "the same",
}
STORES = re.compile(
    r"""(?:local|session)Storage\.setItem\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"""
    r"""|(?:local|session)Storage(?!\.(?:setItem|getItem|removeItem)\()[\w.\[\]]*"""
    r"""|\bindexedDB\b|\bcaches\.open\((?:\w+\))?|\bdocument\.cookie\s*=\s?|\bcookieStore\b"""
    r"""|\bnavigator\.storage\b|\bwindow\.name\b"""
)


def stores(file: File) -> Iterator[str]:
    text = re.sub(r"(?m)^\s*//.*$", "", file.text)
    return (f"{file.path}: {found[0]}" for found in STORES.finditer(text))


def test_what_scripts_keep_in_a_browser_is_known() -> None:
    scripts = [
        file for file in files(".js", under=("static/", "matches/", "jotter/", "practice/")) if not in_tests(file.path)
    ]
    assert len(scripts) > 20
    assert {found for file in scripts for found in stores(file)} == set(KEPT)


@pytest.mark.parametrize(
    "line",
    [
        "sessionStorage.setItem(name, JSON.stringify({ content, key }));",
        "localStorage[name] = typed;",
        "const store = window.localStorage;",
        "indexedDB.open('drafts')",
        "document.cookie = `bid=${bid}`;",
        "await caches.open('pages')",
        "cookieStore.set('bid', bid)",
    ],
)
def test_what_would_keep_more_is_found(line: str) -> None:
    assert list(stores(File("x.js", f"  {line}")))
