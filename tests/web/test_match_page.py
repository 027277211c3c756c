"""The match page as each kind of viewer gets it: the same board for all, and to each only what is theirs."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.pages import fragments, rendering
from matches.pages.fragments import OWN_PART
from matches.queries.matches import Position
from notices import inbox
from notices.inbox import unread
from notices.outbox import pass_on
from tests.web.conftest import Table, browser

VIEWERS = [None, "ann", "eve", "dora"]


def test_hosts_see_who_has_submitted_but_not_what(table: Table) -> None:
    table.bid("bob", "Z", 5)
    page = browser(table.users["dora"]).look(table.url)
    hosting = page[page.index('id="hosting-title"') :]
    assert hosting.count("not yet") == 2
    assert hosting.count("submitted") >= 1
    for name in (None, "ann", "eve"):
        assert "For hosts" not in browser(table.users[name] if name else None).look(table.url)


def test_the_parts_are_those_of_the_page(auction: Table) -> None:
    ann = browser(auction.users["ann"])
    of_the_frame = r'(data-of=[^>]*) action=[^>]*>(<input type="hidden" name="[^"]+" value[^>]*>)*'
    page = re.sub(of_the_frame, r"\1>", ann.look(auction.url))
    answer = ann.get(f"{auction.url}parts/").json()
    assert f'data-own-part="{answer["parts"].pop(OWN_PART)}"' in page
    assert set(answer["parts"]) == {*rendering.PUBLIC_PARTS, *rendering.PRIVATE_PARTS}
    assert answer["version"] == auction.match.public_version
    assert answer["private_version"] == auction.player("ann").version
    for name, html in answer["parts"].items():
        assert html in page, f"the page's {name} is another one than the push's"
    assert _checksums(page) == [
        fragments.checksums(inbox.fragments(unread(auction.users["ann"]))),
        fragments.checksums(answer["parts"]),
    ]
    public = browser().get(f"{auction.url}parts/").json()
    assert set(public["parts"]) == set(rendering.PUBLIC_PARTS)
    assert public["private_version"] is None
    assert _checksums(browser().look(auction.url)) == [fragments.checksums(public["parts"])]


def _checksums(page: str) -> list[str]:
    """What a page says of the texts of the notices and the match in it."""
    return [unescape(texts) for texts in re.findall(r'data-texts="([^"]*)"', page)]


def test_public_parts_are_the_same_bytes_for_everybody(auction: Table) -> None:
    answers = [browser(auction.users[n] if n else None).get(f"{auction.url}parts/").json() for n in VIEWERS]
    public = [{name: answer["parts"][name] for name in rendering.PUBLIC_PARTS} for answer in answers]
    assert all(parts == public[0] for parts in public)


@pytest.mark.parametrize("part", ["csrf", "token", "nonce"])
def test_no_part_holds_a_token(auction: Table, part: str) -> None:
    auction.bid("cat", "Y", 6)
    match = auction.match
    position = Position(match)
    parts = rendering.public_parts(position, auction.present.instant)
    parts |= rendering.private_parts(position, auction.player("ann"), auction.present.instant)
    pass_on()
    for html in (*parts.values(), *inbox.shown_to(auction.users["ann"], "html").values()):
        html = str(html)
        assert f"{part}middleware" not in html
        assert 'name="csrf' not in html


@pytest.mark.parametrize("name", VIEWERS)
def test_a_running_matchs_page_takes_few_queries(auction: Table, name: str | None) -> None:
    auction.bid("cat", "Y", 6)
    client = browser(auction.users[name] if name else None)
    client.look(auction.url)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.look(auction.url)
    assert len(queries) <= 12, "\n".join(query["sql"][:150] for query in queries)
