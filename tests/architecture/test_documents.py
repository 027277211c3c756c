"""The documents: whatever they link to, and whatever names one of them, exists."""

import re

from tests.architecture.files import ROOT, files

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
NAMED = re.compile(r"\bdocs/[\w-]+\.md\b")


def _anchors(text: str) -> set[str]:
    """The headings of a document as its links name them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def test_links_in_documents_lead_somewhere() -> None:
    wrong = []
    for file in files(".md"):
        for link in LINK.findall(file.text):
            path, _, anchor = link.partition("#")
            target = (ROOT / file.path).parent / path if path else ROOT / file.path
            if "://" in link:
                continue
            if not target.exists() or (anchor and anchor not in _anchors(target.read_text("utf-8"))):
                wrong.append((file.path, link))
    assert wrong == []


def test_documents_that_are_named_exist() -> None:
    named = {(file.path, name) for file in files() for name in NAMED.findall(file.text)}
    assert [(path, name) for path, name in sorted(named) if not (ROOT / name).is_file()] == []
