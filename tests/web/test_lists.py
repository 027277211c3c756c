"""Lists do not grow with the matches of a person: neither in what they read nor in what they show. Paging loses and
repeats nothing, and nobody finds in a list what they may not know of."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matches.models import Match, Player
from matches.queries import lists
from matches.queries.paging import count_up_to
from matches.services import hosting, joining
from matches.services.hosts_group import HOSTS
from tests.fixtures.copies import copies_of
from tests.web.conftest import Table, browser

PAGES = ("/", "/me/", "/me/all/", "/me/hosted/", "/matches/", "/api/v1/matches/?limit=20")
LISTS = (*PAGES, "/admin/matches/match/")


def host_of_many(table: Table, count: int) -> User:
    """Somebody who plays in so many running matches, and hosts as many."""
    person = Table._person(f"person{count}")
    person.is_staff = True
    person.save()
    person.groups.add(person.groups.model.objects.get(name=HOSTS))
    copies_of(table.match, count, player=person)
    copies_of(table.match, count, host=person)
    return person


def titles(page: str) -> list[str]:
    return re.findall(r'<a class="match-card__link" href="(/matches/\w+/)', page)


def older(page: str) -> str:
    """Where the link to the next page leads; empty where there is none."""
    found = re.search(r'href="([^"]+)" rel="next"', page)
    return found[1].replace("&amp;", "&") if found else ""


def leaf(url: str, user: User | None, between=lambda: None) -> list[str]:
    """The matches on all pages; `between` happens after each."""
    found, address, client = [], url, browser(user)
    for _ in range(20):
        page = client.look(address)
        found += titles(page)
        if not (query := older(page)):
            return found
        address = url.partition("?")[0] + query
        between()
    raise AssertionError("there is no end")


def test_a_list_costs_the_same_with_many_matches(table: Table) -> None:
    shown: dict[str, set[object]] = {url: set() for url in LISTS}
    asked: dict[str, set[int]] = {url: set() for url in LISTS}
    for count in (55, 70):
        client = browser(host_of_many(table, count))
        for url in LISTS:
            client.get(url)
            with CaptureQueriesContext(connection) as queries:
                page = client.look(url)
            asked[url].add(len(queries))
            parts = ("<article", "<tr", "rows__row", '"seed_hash"')
            shown[url].add(tuple(page.count(part) for part in parts))
    assert {url: each for url, each in shown.items() if len(each) > 1} == {}
    assert {url: each for url, each in asked.items() if len(each) > 1} == {}


def test_a_list_asks_no_more_for_each_match(table: Table) -> None:
    asked: dict[str, set[int]] = {url: set() for url in PAGES}
    for count in (5, 10, 60):
        client = browser(host_of_many(table, count))
        for url in PAGES:
            client.get(url)
            with CaptureQueriesContext(connection) as queries:
                client.look(url)
            asked[url].add(len(queries))
    assert {url: each for url, each in asked.items() if len(each) > 1} == {}


def test_no_more_positions_are_read_than_are_shown(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    person = host_of_many(table, 60)
    game, read = type(table.match.rules), []
    decode = game.decode_state
    monkeypatch.setattr(game, "decode_state", lambda self, text: read.append(1) or decode(self, text))
    page = browser(person).look("/me/")
    assert len(titles(page)) == len(read) == 20


def test_what_is_asked_comes_first_then_what_runs_then_what_comes(table: Table) -> None:
    person = Table._person("zoe")
    asking = copies_of(table.match, 2, player=person)
    coming = copies_of(Table(table.present).match, 1, player=person)
    table.at(24).bid("ann", "Y", 4)
    resting = copies_of(table.match, 1, player=person)
    Match.objects.filter(pk=resting[0].pk).update(status=Match.Status.PAUSED, paused_at=table.present.instant)
    found = titles(browser(person).look("/me/"))
    assert found == [match.get_absolute_url() for match in (*asking, *resting, *coming)]


def test_where_more_goes_on_than_is_shown_the_page_says_so(table: Table) -> None:
    few, many = Table._person("zoe"), Table._person("yan")
    copies_of(table.match, 3, player=few)
    copies_of(table.match, 30, player=many)
    for person, more in ((few, False), (many, True)):
        assert ("deadlines come next" in browser(person).look("/")) == more
        assert ("deadlines come next" in browser(person).look("/me/")) == more


@pytest.mark.parametrize("url", ["/me/all/", "/matches/", "/matches/?state=running"])
def test_paging_loses_and_repeats_nothing_when_matches_change_meanwhile(table: Table, url: str) -> None:
    person = Table._person("zoe")
    copies = copies_of(table.match, 60, player=person)
    wanted = {match.get_absolute_url() for match in copies}
    changing = iter(copies)

    def somebody_acts() -> None:
        """A deadline moves, a match is paused, another one begins."""
        first, second = next(changing), next(changing)
        Match.objects.filter(pk=first.pk).update(next_deadline_at=None, public_version=9)
        Match.objects.filter(pk=second.pk).update(status=Match.Status.PAUSED, paused_at=table.present.instant)
        copies_of(table.match, 1, player=person)

    found = leaf(url, person, somebody_acts)
    assert len(found) == len(set(found))
    assert wanted <= set(found) | {table.url}


def test_everything_that_was_ever_joined_is_found(table: Table) -> None:
    person = Table._person("zoe")
    copies, now = copies_of(table.match, 45, player=person), table.present.instant
    for match, status in zip(
        copies, (Match.Status.FINISHED, Match.Status.CANCELLED, Match.Status.PAUSED), strict=False
    ):
        Match.objects.filter(pk=match.pk).update(status=status, finished_at=now, paused_at=now)
    found = leaf("/me/all/", person)
    assert sorted(found) == sorted(match.get_absolute_url() for match in copies)
    page = browser(person).look("/me/all/")
    assert "You have joined 45 matches, the newest first." in " ".join(page.split())


def test_more_matches_than_anybody_counts_are_not_counted(table: Table) -> None:
    person = Table._person("zoe")
    copies_of(table.match, 101, player=person)
    assert count_up_to(lists.all_my_matches(person), 100) == 101
    assert "more than 100 matches" in browser(person).look("/me/all/")


RUBBISH = ("x", "0", "-1", "99999999999999999999", "💀", "a%00b", "'", "%FF", "bcdfghjkmnpq", "x" * 3000)


@pytest.mark.parametrize("after", RUBBISH)
@pytest.mark.parametrize("url", ["/me/all/", "/me/hosted/", "/matches/"])
def test_a_page_after_nothing_is_the_first_and_says_so(table: Table, url: str, after: str) -> None:
    page = browser(table.users["ann"]).get(f"{url}?after={after}")
    if "%00" in after:  # no address may have a NUL in it
        assert page.status_code == 400
        return
    assert page.status_code == 200
    assert "That page of the list does not exist. This is the first one." in page.content.decode()


@pytest.mark.parametrize("number", ["x", "0", "-1", "99999999999999999999", "💀", "1.5", ""])
@pytest.mark.parametrize("name", ["history/?page", "news/?page", "log/?own"])
def test_a_page_of_records_that_is_not_there_is_one_that_is(auction: Table, name: str, number: str) -> None:
    assert "Night table" in browser(auction.users["ann"]).look(f"{auction.url}{name}={number}")


@pytest.mark.parametrize("query", ["offset=-1", "offset=x", "limit=0", "limit=201", "page=2", "after=x", "offset=1e3"])
def test_the_api_refuses_a_page_that_is_none(table: Table, query: str) -> None:
    answer = browser().get(f"/api/v1/matches/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_the_api_leafs_through_all(table: Table) -> None:
    copies = copies_of(table.match, 6)
    found, address = [], "/api/v1/matches/?limit=3"
    while address:
        page = browser().get(address).json()
        assert page["count"] == 7
        found += [match["id"] for match in page["matches"]]
        address = page["next"]
    assert found == [table.match.public_id, *(match.public_id for match in copies)]


# -- who may know --------------------------------------------------------------------------------


@pytest.fixture
def draft(table: Table) -> Match:
    """A draft that somebody hosts and plays in, unknown to everybody else."""
    match = Table(table.present).match
    Match.objects.filter(pk=match.pk).update(title="Nobody knows", created_at=table.match.created_at)
    match.refresh_from_db()
    return match


def test_a_draft_is_in_the_lists_of_its_own_people_alone(table: Table, draft: Match) -> None:
    inside = {"ann": ("/me/", "/me/all/"), "dora": ("/me/", "/me/hosted/")}
    for name in ("ann", "dora", "eve", ""):
        client = browser(table.users[name] if name else None)
        for url in ("/", "/me/", "/me/all/", "/me/hosted/", "/matches/", "/api/v1/matches/"):
            page = client.get(url).content.decode()
            assert ("Nobody knows" in page) == (url in inside.get(name, ())), (name, url)


def test_a_draft_is_no_place_to_begin_a_page_at(table: Table, draft: Match) -> None:
    """Whether there is such a match would be told otherwise."""
    for url in ("/matches/", "/me/all/", "/me/hosted/"):
        known, unknown = (
            browser(table.users["eve"]).look(f"{url}?after={after}") for after in (draft.public_id, "bcdfghjkmnpq")
        )
        main = [re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+", "", page.partition("<main")[2]) for page in (known, unknown)]
        assert main[0] == main[1] != ""


def test_another_persons_place_is_none_of_mine(table: Table) -> None:
    theirs = copies_of(table.match, 3, player=Table._person("zoe"))
    eve = browser(Table._person("eve"))
    assert "That page of the list does not exist" in eve.look(f"/me/all/?after={theirs[0].public_id}")
    for url in ("/", "/me/", "/me/all/"):
        assert "you are" not in eve.look(url)


def test_what_is_asked_of_one_player_is_in_nobody_elses_lists(table: Table) -> None:
    assert "You can make one sealed bid" in browser(table.users["ann"]).look("/")
    for name in ("dora", "eve"):
        for url in ("/", "/me/", "/me/all/", "/me/hosted/"):
            assert "You can make one sealed bid" not in browser(table.users[name]).look(url)


def test_a_match_cancelled_before_anybody_knew_of_it_stays_unknown(table: Table, draft: Match) -> None:
    hosting.cancel(draft, draft.hosts.get(), "no players")
    for url in ("/", "/matches/", "/api/v1/matches/"):
        assert "Nobody knows" not in browser().get(url).content.decode()
    assert "Nobody knows" in browser(table.users["ann"]).look("/me/all/")
    assert "Nobody knows" not in browser(table.users["ann"]).look("/me/")


def test_a_match_that_was_left_is_in_the_list_no_more(table: Table) -> None:
    coming = Table(table.present).match
    hosting.publish(coming, coming.hosts.get(), table.present.instant + timedelta(days=1))
    Player.objects.filter(match=coming, handle="ann").update(name="Ann")
    Match.objects.filter(pk=coming.pk).update(joining=Match.Joining.OPEN)
    assert coming.get_absolute_url() in browser(table.users["ann"]).look("/me/all/")
    joining.leave(coming, table.users["ann"])
    page = browser(table.users["ann"]).look(f"/me/all/?after={coming.public_id}")
    assert coming.get_absolute_url() not in page
    assert "That page of the list does not exist" in page
