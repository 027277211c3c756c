"""What the API shows, and to whom."""

import hashlib
from urllib.parse import unquote

import pytest

from matches.engine.strict_json import canonical
from matches.games.registry import all_games
from matches.models import Match
from matches.services.hosting import close_deadline
from tests.fixtures.any_game import SLUG
from tests.fixtures.site import Site
from tests.fixtures.table import Answer, Table, request, running


def get(site: Site, path: str, **headers: str) -> Answer:
    return request(site, "GET", f"/api/v1/{path}", **headers)


def test_the_list_holds_public_matches_and_pages(site: Site) -> None:
    tables = running(site, matches=3)
    Match.objects.filter(public_id=tables[0].id).update(status="draft")
    answer = get(site, "matches/")
    assert answer.status == 200
    assert {match["id"] for match in answer.body["matches"]} == {tables[1].id, tables[2].id}
    assert (answer.body["count"], answer.body["next"]) == (2, None)
    first = get(site, "matches/?limit=1&status=open")
    assert len(first.body["matches"]) == 1
    second = request(site, "GET", first.body["next"])
    assert second.body["next"] is None
    assert {first.body["matches"][0]["id"], second.body["matches"][0]["id"]} == {tables[1].id, tables[2].id}


BAD_QUERIES = {
    "matches/": [
        *("status=draft", "status=x", "status=", "game=x", "limit=0", "limit=201", "limit=-1", "limit=x", "limit="),
        *("after=%C2%B2", "after=1e3", "after=0&after=1", "offset=1", "page=2", "Limit=1", "%FF=1"),
    ],
    "matches/{id}/": ["format=json", "limit=1"],
    "matches/{id}/feed/": ["limit=x", "offset=1"],
    "matches/{id}/history/": ["limit=0", "status=open"],
    "matches/{id}/hosts/": ["limit=0", "status=open"],
    "matches/{id}/notes/": ["limit=1"],
    "matches/{id}/players/": ["limit=1"],
    "matches/{id}/questions/": ["limit=1"],
    "matches/{id}/place/": ["limit=1"],
    "matches/{id}/log/": ["limit=0", "page=1", "after=1", "cursor=1"],
    "matches/{id}/export/": ["limit=1"],
    "matches/{id}/replay/": ["limit=1", "sealed=later"],
    "people/{user}/": ["limit=201", "after=x", "page=1"],
    "me/": ["limit=1"],
    "me/matches/": ["limit=51", "after=nosuch", "offset=1"],
    "games/": ["limit=1"],
    f"games/{SLUG}/schema/": ["game=x"],
    "": ["v=1"],
}


def test_a_parameter_that_is_unknown_or_says_what_it_cannot_is_refused_by_name(table: Table) -> None:
    for path, query in [(path, query) for path, some in BAD_QUERIES.items() for query in some]:
        asked = f"{path.format(id=table.id, user=table.people[0].username)}?{query}"
        answer = table.people[0].get(asked) if path.startswith("me/") else get(table.site, asked)
        assert (answer.status, answer.code) == (400, "malformed"), asked
        name = unquote(query.split("=")[0])
        assert answer.body["message"].startswith(f"{name}: "), asked


NOT_READ = ("sockets", "descriptions", "actions", "ask")


def test_every_address_that_reads_is_among_those(table: Table) -> None:
    names = {"<id>": "{id}", "<username>": "{user}", "<slug>": SLUG, "/api/v1/": ""}
    paths = [path for name, path in get(table.site, "").body.items() if name not in NOT_READ]
    for given, meant in names.items():
        paths = [path.replace(given, meant) for path in paths]
    assert {*paths, ""} == set(BAD_QUERIES)


def test_a_match_shows_its_public_side_to_everybody_and_the_private_one_to_its_player(table: Table) -> None:
    ann, bob = table.people[:2]
    anybody, as_ann = get(table.site, f"matches/{table.id}/"), ann.get(f"matches/{table.id}/")
    assert set(anybody.body) == {"match", "public", "private", "versions", "now"}
    assert anybody.body["private"] is None
    assert anybody.body["versions"]["private"] is None
    assert as_ann.body["private"]["handle"] == ann.handle
    assert as_ann.body["public"] == anybody.body["public"]
    assert as_ann.headers["Cache-Control"] == "no-store, private"
    assert bob.get(f"matches/{table.id}/").body["private"]["handle"] == bob.handle
    stranger = running(table.site)[0].people[0]
    assert stranger.get(f"matches/{table.id}/").body["private"] is None


def test_a_cache_on_the_way_keeps_the_answers_to_different_people_apart(table: Table) -> None:
    for answer in (get(table.site, f"matches/{table.id}/"), table.people[0].get(f"matches/{table.id}/feed/")):
        varies = {name.strip() for name in answer.headers["Vary"].split(",")}
        assert varies >= {"Authorization", "Cookie"}


@pytest.mark.parametrize("token", [False, True])
def test_an_unchanged_match_is_not_sent_twice(table: Table, token: bool) -> None:
    path, who = f"matches/{table.id}/", table.people[1].bearer() if token else {}
    first = get(table.site, path, **who)
    tag = first.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"x",{tag}', "*"):
        again = get(table.site, path, **who, If_None_Match=known)
        assert (again.status, again.body) == (304, None), known
    assert again.headers["Cache-Control"] == ("no-store, private" if token else "no-cache")
    table.people[0].post(table.good_bid(0))
    changed = get(table.site, path, **who, If_None_Match=first.headers["ETag"])
    assert changed.status == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_pages_of_other_sites_read_what_everybody_may_and_nothing_else(table: Table) -> None:
    ann, path = table.people[0], f"matches/{table.id}/"
    own = (ann.get(path), get(table.site, path, **ann.cookies()), ann.post(table.good_bid(0)))
    assert not any("Access-Control-Allow-Origin" in answer.headers for answer in own)
    for anybodys in (path, "matches/nosuch/", "games/"):
        headers = get(table.site, anybodys).headers
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in headers


def test_browsers_may_ask_first_whether_a_page_of_another_site_reads_what_is_public(table: Table) -> None:
    asking = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    for public in (f"matches/{table.id}/", "matches/", "games/"):
        answer = request(table.site, "OPTIONS", f"/api/v1/{public}", **asking)
        assert answer.status == 204
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
        assert answer.headers["Access-Control-Allow-Headers"] == "If-None-Match"
    for own in ("me/matches/", f"matches/{table.id}/questions/", f"matches/{table.id}/actions/", "nosuch/"):
        answer = request(table.site, "OPTIONS", f"/api/v1/{own}", **asking)
        assert answer.status in (404, 405)
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_feed_is_read_to_its_end_by_next(table: Table) -> None:
    for place in (0, 1, 2):
        table.people[place].post(table.good_bid(place))
    whole = get(table.site, f"matches/{table.id}/feed/").body
    assert (whole["next"], len(whole["feed"]) > 2) == (None, True)
    path, lines = f"/api/v1/matches/{table.id}/feed/?limit=2", []
    while path:
        page = request(table.site, "GET", path).body
        lines, path = [*lines, *page["feed"]], page["next"]
    assert lines == whole["feed"]
    unknown = get(table.site, f"matches/{table.id}/feed/?after=nosuch")
    assert (unknown.status, unknown.code) == (400, "malformed")


def test_the_log_opens_with_the_end_and_proves_receipts_and_chain(table: Table) -> None:
    ann = table.people[0]
    receipt = ann.post(table.good_bid(0)).body["receipt"]
    closed = get(table.site, f"matches/{table.id}/log/")
    assert (closed.status, closed.code) == (409, "match_not_finished")

    finish(table)
    rows, path = [], f"/api/v1/matches/{table.id}/log/?limit=2"
    while path:
        answer = request(table.site, "GET", path)
        rows += answer.body["rows"]
        path = answer.body["next"]
        assert len(answer.body["rows"]) == 2 or path is None
    assert len(rows) == table.match.log_count
    assert answer.body["head"] == rows[-1]["hash"]
    previous = ""
    for row in rows:
        assert row["previous"] == previous
        assert hashlib.sha256(canonical(row["facts"]).encode()).hexdigest() == row["content"]
        assert hashlib.sha256(f"{previous}\n{row['content']}".encode()).hexdigest() == row["hash"]
        previous = row["hash"]
    assert get(table.site, f"matches/{table.id}/log/?after={rows[-1]['hash']}").body["rows"] == []
    unknown = get(table.site, f"matches/{table.id}/log/?after={'0' * 64}")
    assert (unknown.status, unknown.code) == (400, "malformed")
    mine = next(row["facts"] for row in rows if row["facts"]["receipt"] == receipt["hash"])
    assert mine["salt"] == receipt["salt"]
    text = f"{mine['salt']}\n{mine['payload']}\n{mine['match_time']}"
    assert hashlib.sha256(text.encode()).hexdigest() == receipt["hash"]


def finish(table: Table) -> None:
    host = table.match.hosts.get()
    while table.match.status != Match.Status.FINISHED:
        close_deadline(table.match, host)


def test_every_match_type_tells_its_settings_and_actions(site: Site) -> None:
    games = get(site, "games/").body["games"]
    assert [game["slug"] for game in games] == list(all_games())
    for game in games:
        assert game["designers"] == list(all_games()[game["slug"]].designers)
        schema = request(site, "GET", game["schema"]).body
        assert schema["config"]
        assert all({"key", "label", "help", "kind", "default"} <= set(option) for option in schema["config"])
        assert set(schema["actions"]["$defs"])
    assert (get(site, "games/nosuch/schema/").status, get(site, "games/nosuch/schema/").code) == (404, "unknown_game")
