"""Lists do not grow with the matches of a person: neither in what they read nor in what they show. Paging loses and
repeats nothing, and nobody finds in a list what they may not know of."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from matches.models import Match
from matches.services import hosting
from matches.services.roles import HOSTS
from tests.fixtures.copies import copies_of
from tests.web.conftest import Table, browser

PAGES = ("/", "/me/", "/me/all/", "/me/hosted/", "/matches/", "/api/v1/matches/?limit=20")


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
    return re.findall(r'<a class="(?:match-card|mine)__link[^"]*" href="(/matches/\w+/)', page)


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


def test_what_is_asked_comes_first_then_what_runs_then_what_comes(table: Table) -> None:
    person = Table._person("zoe")
    asking = copies_of(table.match, 2, player=person)
    coming = copies_of(Table(table.present).match, 1, player=person)
    chosen = {key: titles(browser(person).look(f"/me/?only={key}")) for key in ("move", "waiting")}
    assert chosen == {
        "move": [match.get_absolute_url() for match in asking],
        "waiting": [match.get_absolute_url() for match in coming],
    }
    table.at(24).bid("ann", "Y", 4)
    resting = copies_of(table.match, 1, player=person)
    Match.objects.filter(pk=resting[0].pk).update(status=Match.Status.PAUSED, paused_at=table.present.instant)
    found = titles(browser(person).look("/me/"))
    assert found == [match.get_absolute_url() for match in (*asking, *resting, *coming)]
    assert titles(browser(person).look("/me/?only=nonsense")) == found


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


def test_one_is_led_on_to_the_next_match_that_asks_something(table: Table) -> None:
    person = Table._person("zoe")
    client = browser(person)
    assert "No match needs you now." in client.get("/me/next/", follow=True).content.decode()
    first, second = copies_of(table.match, 2, player=person)
    assert client.get("/me/next/")["Location"] == f"{first.get_absolute_url()}#act"
    assert client.get(f"/me/next/?after={first.public_id}")["Location"] == f"{second.get_absolute_url()}#act"
    Match.objects.filter(pk=second.pk).update(status=Match.Status.CANCELLED)
    alone = client.get(f"/me/next/?after={first.public_id}", follow=True)
    assert "No other match needs you now." in alone.content.decode()
    assert client.get(f"/me/next/?after={'x' * 5000}").status_code == 302
    assert browser().get("/me/next/")["Location"].startswith("/accounts/login/")
