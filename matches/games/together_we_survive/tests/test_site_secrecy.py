"""Twin matches at the site, which differ only in what stays secret, answer strangers to the byte alike: for ever."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import transaction

from matches import clock
from matches.games.together_we_survive.tests.at_table import AtTable
from tests.web.conftest import browser
from tests.web.test_secrecy import masked

Story = Callable[[AtTable], AtTable]
Seen = dict[tuple[str, str], tuple[int, str]]

PAGES = ("", "parts/", "rules/", "history/", "news/", "result/", "log/", "log.json")
API = ("", "feed/", "history/", "log/")
VIEWERS = ("visitor", "zoe", "flo")


def seen_by(viewer: str, table: AtTable) -> dict[str, tuple[int, str]]:
    """Everything that the viewer gets, by address, without what is random by itself."""
    client = browser(table.users.get(viewer))
    found = {page: client.get(table.url + page) for page in PAGES}
    found |= {f"api {page}": client.get(f"/api/v1/matches/{table.match.public_id}/{page}") for page in API}
    return {page: (answer.status_code, plain(answer.content.decode(), table)) for page, answer in found.items()}


def plain(text: str, table: AtTable) -> str:
    """Hashes are cut short in the log's table; own receipts have tokens and row numbers of the database."""
    text = re.sub(r"<code title=\"[0-9a-f]{64}\">[0-9a-f]{10}", "HASH", text)
    text = re.sub(r'"user": ?\d+', "USER", text)
    text = re.sub(r'"token": ?"[\w-]{12}"', "TOKEN", text)
    return masked(text, table)


def world(story: Story, present: clock.FixedTime) -> Seen:
    """(viewer, page) -> what is seen there after the story; then nothing of it has ever happened."""
    with transaction.atomic():
        table = story(AtTable(present))
        seen = {(viewer, page): text for viewer in VIEWERS for page, text in seen_by(viewer, table).items()}
        transaction.set_rollback(True)
    return seen


def votes(table: AtTable, swapped: bool) -> AtTable:
    """Two players of A vote, the one as the other does in the twin; cat stands by with two votes from herself."""
    first, second = ("bob", "ann") if swapped else ("ann", "bob")
    table.on_stage("cat", cat=2)
    table.does(first, type="vote_a", votes={"ann": 2, "bob": 1})
    table.does(second, type="vote_a", votes={"bob": 1})
    first, second = ("hal", "gus") if swapped else ("gus", "hal")
    table.does(first, type="vote_b", votes={"gus": 2, "ida": 1})
    return table.does(second, type="vote_b", votes={"kim": 3})


def finish(table: AtTable, swapped: bool) -> AtTable:
    """ann, bob and cat win together against dan, eve and flo, and vote; gus wins B and names a loser."""
    first, second = ("bob", "ann") if swapped else ("ann", "bob")
    table.at(72)
    table.does(first, type="vote", player="dan").does(second, type="vote", player="eve")
    table.does("cat", type="vote", player="eve")
    return table.does("gus", type="vote", player="jon")


TWINS: dict[str, tuple[Story, Story]] = {
    "sealed votes": (lambda table: votes(table, False), lambda table: votes(table, True)),
    "whether votes are there": (
        lambda table: table.on_stage("ann", ann=1).for_b("gus", kim=3),
        lambda table: table,
    ),
    "who voted for whom, after the round": (
        lambda table: votes(table, False).at(48),
        lambda table: votes(table, True).at(48),
    ),
    "who voted for whom, after the match": (
        lambda table: finish(votes(table, False).at(48), False),
        lambda table: finish(votes(table, False).at(48), True),
    ),
    "tokens of group A, after the match": (
        lambda table: finish(votes(table, False).at(48), False),
        lambda table: finish(votes(table, True).at(48), False),
    ),
    "secret gifts": (
        lambda table: table.played().does("ann", type="give_tokens", to=["eve", "dan"]),
        lambda table: table.played(),
    ),
    "what was taken back": (
        lambda table: finish(
            votes(table.for_b("dan", gus=3).does("dan", type="withdraw", kind="B"), False).at(48), False
        ),
        lambda table: finish(
            votes(table.for_b("eve", kim=3).does("eve", type="withdraw", kind="B"), False).at(48), False
        ),
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_secret_changes_not_a_byte(db: None, present: clock.FixedTime, name: str) -> None:
    one, other = TWINS[name]
    seen, twin = world(one, present), world(other, present)
    assert [place for place in seen if seen[place] != twin[place]] == []
    if "after the match" in name:
        assert {seen[viewer, page][0] for viewer in VIEWERS for page in ("log/", "log.json", "api log/")} == {200}


def test_the_comparison_would_find_a_leak(db: None, present: clock.FixedTime) -> None:
    """The control: once the round closes, everybody knows which kinds were submitted, and how many votes there were."""
    one = world(lambda table: votes(table, False).at(48), present)
    other = world(lambda table: votes(table.for_b("dan", gus=3), False).at(48), present)
    for viewer in VIEWERS:
        assert one[viewer, ""] != other[viewer, ""]
        assert one[viewer, "api "] != other[viewer, "api "]


def test_the_open_log_shows_what_is_no_secret(db: None, present: clock.FixedTime) -> None:
    table = AtTable(present).decided()
    text = browser().look(f"{table.url}log/").replace("&quot;", '"')
    assert '"type":"give_tokens"' in text
    for secret in ('"vote_a"', '"vote_b"', '"vote"', "votes"):
        assert secret not in text.replace("votes for the Elimination Candidate", "")
    own = browser(table.users["ann"]).look(f"{table.url}log/").replace("&quot;", '"')
    assert '{"type":"vote_a","votes":{"ann":2}}' in own
