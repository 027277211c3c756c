"""The public page of a person tells what everybody may know, and nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from accounts.models import User
from matches.games.registry import all_games
from matches.models import Match, Player, PlayerResult
from matches.models.clock import FixedTime
from matches.pages import profiles
from matches.pages.profiles import Section
from matches.queries.profiles import End, awards_of
from matches.services.hosting import cancel, publish
from matches.services.joining import add_player
from matches.services.replay import verify
from tests.fixtures.copies import copies_of
from tests.fixtures.registered import only
from tests.web.conftest import Table, browser


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def known_of(name: str) -> dict:
    return browser().get(f"/api/v1/people/{name}/").json()


@pytest.mark.both
def test_a_match_counts_for_its_players_when_it_is_finished_and_not_before(auction: Table) -> None:
    before = browser().look("/people/ann/")
    assert "Night table" in before
    assert "running" in words(before)
    assert "Results" not in before
    assert known_of("ann")["results"] == []
    auction.bid("cat", "Y", 6).at(24 * 9)
    assert auction.match.status == Match.Status.FINISHED
    outcome = browser().get(f"/api/v1/matches/{auction.match.public_id}/").json()["public"]
    for name in ("ann", "bob", "cat"):
        (tally,) = known_of(name)["results"]
        assert (tally["played"], tally["won"]) == (1, int(name in outcome["winners"]))
        assert tally["candidate"] == int(name in outcome["candidates"])
        assert ("First win" in browser().look(f"/people/{name}/")) == (name in outcome["winners"])
    assert verify(auction.match) == []
    PlayerResult.objects.filter(player=auction.player("ann")).update(tokens=7)
    (found,) = verify(auction.match)
    assert "result of the players" in found


def test_what_nobody_may_know_of_never_shows(db: None, present: FixedTime) -> None:
    draft = Table(present)
    for name in ("ann", "dora"):
        assert "Night table" not in browser(draft.users["ann"]).look(f"/people/{name}/")
        assert "Night table" not in str(known_of(name))
    publish(draft.match, draft.users["dora"])
    assert all("Night table" in browser().look(f"/people/{name}/") for name in ("ann", "dora"))
    cancel(draft.match, draft.users["dora"], "no time")
    assert "cancelled" in words(browser().look("/people/ann/"))
    never = Table(present)
    cancel(never.match, never.users["dora"], "no time")
    assert browser().look("/people/ann/").count("Night table") == 1
    page = browser(draft.users["eve"]).look("/people/ann/")
    assert "ann@example.org" not in page
    assert "Europe" not in words(page)


def test_a_person_may_keep_the_page_empty(table: Table) -> None:
    table.finish()
    ann = browser(table.users["ann"])
    ann.post("/profile/", {"display_name": "Ann B.", "time_zone": "UTC", "theme": "auto", "keeps_private": "on"})
    page = browser().look("/people/ann/")
    assert "Ann B." in page
    assert "Night table" not in page
    assert "Member since" not in page
    assert browser().get("/people/ann/hosted/").url == "/people/ann/"
    with only(profiles, lambda user, viewer: Section("seasons", "Seasons", SafeString("x"), [])):
        assert known_of("ann") == {"username": "ann", "name": "Ann B.", "is_bot": False, "is_shown": False}
    ann.post("/profile/", {"display_name": "Ann B.", "time_zone": "UTC", "theme": "auto"})
    assert "Night table" in browser().look("/people/ann/")
    User.objects.filter(username="ann").update(is_active=False)
    assert "Night table" not in browser().look("/people/ann/")


def test_names_are_found_in_any_capitals_and_nobody_else_has_a_page(table: Table) -> None:
    assert browser().get("/people/ANN/").url == "/people/ann/"
    browser().look("/people/nobody-here/", 404)
    answer = browser().get("/api/v1/people/nobody-here/")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_person")
    assert browser().get("/api/v1/people/ann/?limit=0").json()["code"] == "malformed"
    assert browser(table.users["ann"]).get("/people/me/").url == "/people/ann/"


def test_other_apps_add_sections_and_a_broken_one_breaks_nothing(table: Table) -> None:
    def seasons(user: User, viewer: object) -> Section:
        return Section("seasons", "Seasons", SafeString(f"<p>{user.username} came third</p>"), [{"place": 3}])

    def broken(user: User, viewer: object) -> Section:
        raise LookupError

    with only(profiles, broken, seasons, lambda user, viewer: None):
        assert '<section class="panel" id="seasons"' in browser().look("/people/ann/")
        assert "ann came third" in browser().look("/people/ann/")
        assert known_of("ann")["sections"] == {"seasons": [{"place": 3}]}


@pytest.mark.both
def test_a_page_costs_the_same_with_many_matches(table: Table) -> None:
    table.finish()
    person, asked = Table._person("zoe"), []
    client = browser(person)
    for count in (30, 170):
        for match in copies_of(table.match, count, player=person):
            part = Player.objects.get(match=match, user=person)
            PlayerResult.objects.create(player=part, won=True, tokens=2, candidate=False)
        copies_of(table.match, count, host=person)
        client.get("/people/zoe/")
        with CaptureQueriesContext(connection) as queries:
            page = client.look("/people/zoe/")
        asked.append(len(queries))
        assert page.count("rows__row") == 25
    assert asked[0] == asked[1] <= 12
    assert "100 matches" in page
    seen, address = [], "/people/zoe/"
    while address:
        page = client.look(address)
        seen += re.findall(r'<li class="rows__row">\s*<span>\s*<a href="(/matches/\w+/)', page)
        older = re.search(r'href="([^"]+)" rel="next"', page)
        address = f"/people/zoe/{older[1]}" if older else ""
    assert len(seen) == 200 + 5
    assert len(set(seen)) == 200 + 5
    assert "That page of the list does not exist" in client.look("/people/zoe/?after=nothing")


def linked(html: str) -> set[str]:
    return set(re.findall(r'href="/people/([^"]+)/"', html))


def test_names_lead_to_profiles_where_people_read_and_not_where_they_play(auction: Table) -> None:
    Player.objects.filter(match=auction.match, handle="cat").update(user=None, is_bot=True)
    bob = browser(auction.users["bob"])
    page, pushed = bob.look(auction.url), bob.get(f"{auction.url}parts/").json()["parts"]
    assert {name for name, html in pushed.items() if linked(html)} == {"players", "feed"}
    assert linked(pushed["players"]) == linked(pushed["feed"]) == {"ann", "bob"}
    assert ">ann</a> bids 4 on Y." in pushed["feed"]
    assert "dora" in linked(page)
    for url in ("history/", "news/"):
        assert {"ann", "bob"} == linked(browser().look(f"{auction.url}{url}")) - {"dora"}
    assert linked(browser().look("/")) >= {"ann", "dora"}
    (line, *_) = browser().get(f"/api/v1/matches/{auction.match.public_id}/feed/").json()["feed"]
    assert "pieces" not in line
    assert "bob bids 5 on Z." in line["text"]


def test_names_with_signs_of_html_stay_names(auction: Table) -> None:
    Player.objects.filter(match=auction.match, handle="ann").update(name="<b>a & b</b>")
    parts = browser().get(f"{auction.url}parts/").json()["parts"]
    for name in ("players", "feed"):
        assert ' href="/people/ann/">&lt;b&gt;a &amp; b&lt;/b&gt;</a>' in parts[name]


def test_links_cost_no_query_for_each_name(db: None, present: FixedTime) -> None:
    asked = []
    for more in (0, 8):
        table = Table(present)
        for number in range(more):
            add_player(table.match, f"p{number}", user=Table._person(f"p{number}"))
        table.open().at(0)
        browser().look(table.url)
        for url in (table.url, f"{table.url}history/", "/matches/"):
            with CaptureQueriesContext(connection) as queries:
                browser().look(url)
            asked.append((url.replace(table.url, ""), len(queries)))
    assert asked[:3] == asked[3:]


TYPES = tuple(all_games())


def end(day: int, game: str = TYPES[0], *, won: bool = False, candidate: bool = False) -> End:
    return End(f"m{day}", "x", game, datetime(2031, 1, 1, tzinfo=UTC) + timedelta(days=day), won, 0, candidate)


@pytest.mark.parametrize(
    ("ends", "awarded"),
    [
        ([], {}),
        ([end(1), end(2, candidate=True)], {}),
        ([end(1), end(2, won=True), end(3, won=True)], {"first_win": "m2"}),
        ([end(n, won=n in (1, 3, 4, 5, 6)) for n in range(9)], {"first_win": "m1", "wins_in_a_row": "m5"}),
        ([end(n) for n in range(12)], {"never_candidate": "m9", "many_matches": "m9"}),
        ([end(n, candidate=n == 11) for n in range(26)], {"many_matches": "m24"}),
        ([end(2 * n, game, won=True) for n, game in enumerate(TYPES[:4])], {"first_win": "m0", "wins_in_a_row": "m4"}),
        (
            [end(n, TYPES[n // 2], won=n % 2 == 0) for n in range(10)],
            {"first_win": "m0", "every_type": "m8", "never_candidate": "m9", "many_matches": "m9"},
        ),
    ],
)
def test_awards_follow_from_results(ends: list[End], awarded: dict[str, str]) -> None:
    assert {award.name: award.match for award in awards_of(ends)} == awarded
