"""In which order a page is shown: the masthead, then the rest (static/css/arrival.css)."""

import re

from genius_site.bundles import bundled
from matches.pages.styles import bundles, sheets_for
from tests.web.conftest import Table, browser

LINK = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
SHOWN = re.compile(r"\.at-match \.main \{\s*content-visibility: (\w+)")
"""Whether a sheet shows the content of a match's page, rule by rule."""


def test_sheets_are_named_in_the_head(db: None) -> None:
    page = browser().look("/")
    assert LINK.findall(page[: page.index("</head>")]) == LINK.findall(page) == [*sheets_for(""), *sheets_for("lists")]


def test_a_match_names_its_own_sheets_at_the_end(table: Table) -> None:
    page = browser().look(table.url)
    (shared,), (own,) = sheets_for(""), sheets_for("match", table.match.game)
    assert LINK.findall(page) == [shared, own]
    assert (
        page.index(shared) < page.index("</head>") < page.index("</main>") < page.index("</footer>") < page.index(own)
    )


def test_a_match_is_shown_when_its_own_sheets_have_come(table: Table) -> None:
    assert 'class="at-match' in browser().look(table.url)
    shared, *own = (*sheets_for(""), *(sheets_for(kind)[0] for kind in ("match", "replay", "preview", "talk")))
    at_first, once_scripts_run = SHOWN.findall(bundled(bundles()[shared]))
    assert (at_first, once_scripts_run) == ("hidden", "visible")
    for sheet in own:
        assert SHOWN.findall(bundled(bundles()[sheet])) == ["visible"], sheet
