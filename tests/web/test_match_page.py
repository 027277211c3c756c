"""The match page as each kind of viewer gets it: the same board for all, and to each only what is theirs."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Announcement, Match, Player
from matches.models.clock import FixedTime
from matches.pages import fragments, rendering
from matches.pages.part_of_play import OWN_PART
from matches.queries import feed
from matches.queries.matches import Position
from matches.services.blood import grow_all
from matches.services.hosting import cancel, pause, publish, switch_blood_garnets
from matches.web.views import table as views
from notices.pages import bell
from notices.queries.own import unread
from notices.services.passing_on import pass_on
from tests.fixtures.any_game import SLUG
from tests.web.conftest import Table, browser


def words_of(html: str) -> str:
    """The text of a piece of a page that begins within a tag."""
    return " ".join(re.sub(r"<[^>]*>", " ", html.partition(">")[2]).split())


VIEWERS = [None, "ann", "eve", "dora"]


@pytest.mark.parametrize("name", VIEWERS)
def test_everybody_sees_the_board(auction: Table, name: str | None) -> None:
    page = browser(auction.users[name] if name else None).look(auction.url)
    assert "Night table" in page
    for seat in "RSTUVWXYZ":
        assert f'id="lot-{seat}"' in page
    assert re.search(r'id="lot-Y"[^>]*data-player="ann" data-amount="4"', page)
    assert ">ann</a> bids 4 on Y." in page


@pytest.mark.parametrize("name", [None, "eve", "dora"])
def test_whoever_does_not_play_gets_no_panel_no_form_and_no_private_part(auction: Table, name: str | None) -> None:
    page = browser(auction.users[name] if name else None).look(auction.url)
    for part in rendering.PRIVATE_PARTS:
        assert f'id="part-{part}"' not in page
    assert "Your purse" not in page
    assert "act-form" not in page
    assert "data-me=" not in page


def test_a_player_gets_purse_forms_and_their_own_place(auction: Table) -> None:
    page = browser(auction.users["ann"]).look(auction.url)
    assert 'data-me="0"' in page
    assert 'data-free="12" data-chips="16"' in page
    for kind in ("bid", "withdraw", "buy_chips", "name_candidate", "give_tokens"):
        assert f'id="act-{kind}"' in page
    assert "If you do nothing, your 4 on Y wins its seat" in page


def test_hosts_see_who_has_submitted_but_not_what(table: Table) -> None:
    table.bid("bob", "Z", 5)
    page = browser(table.users["dora"]).look(table.url)
    hosting = page[page.index('id="hosting-title"') :]
    assert hosting.count("not yet") == 2
    assert hosting.count("submitted") >= 1
    for name in (None, "ann", "eve"):
        assert "For hosts" not in browser(table.users[name] if name else None).look(table.url)


def test_hosts_see_who_owes_garnets(db: None, present: FixedTime) -> None:
    table = Table(present, garnet_credit=True).open()
    assert table.act("ann", "buy_chips", count=5).accepted
    assert "ann owes" in browser(table.users["dora"]).look(table.url)
    assert "ann owes" not in browser(table.users["bob"]).look(table.url)


def test_players_see_their_own_blood_garnets_to_the_last_decimal(db: None, present: FixedTime) -> None:
    table = Table(present)
    Player.objects.filter(match_id=table.match_id, handle="ann").update(blood_garnets=Decimal(10))
    table.open()
    ann, bob = browser(table.users["ann"]), browser(table.users["bob"])
    assert "They do not grow now." in ann.look(table.url)
    switch_blood_garnets(table.match, table.users["dora"], True)
    assert "They will grow by a tenth every 24 h after the pregame" in ann.look(table.url)
    table.at(48 + 24 * 2)
    grow_all()
    page = ann.look(table.url)
    assert '<span class="number">13.31</span> <span class="visually-hidden">blood garnets</span>' in page
    assert "Every 24 h, also while the match is paused, they grow" in page
    assert "match's clock" not in page[page.index("blood-title") :]
    assert '<time datetime="2026-03-06T14:00:00+00:00"' in page[page.index("blood-title") :]
    own = ann.get(f"/api/v1{table.url}").json()["private"]
    assert own["balances"]["blood_garnet"] == "13.31"
    for client in (bob, browser(table.users["dora"]), browser()):
        assert "blood garnets" not in client.look(table.url)
    assert "blood_garnet" not in bob.get(f"/api/v1{table.url}").content.decode()


def test_a_chosen_seat_comes_with_the_address(auction: Table) -> None:
    page = browser(auction.users["cat"]).look(f"{auction.url}?lot=X")
    assert '<option value="X" selected>' in page
    assert (
        "selected"
        not in browser(auction.users["cat"]).look(f"{auction.url}?lot=%3Cb%3E").split('id="bid-seat"')[1][:900]
    )


def test_the_page_names_its_socket_its_parts_and_its_versions(auction: Table) -> None:
    match, ann = auction.match, auction.player("ann")
    page = browser(auction.users["ann"]).look(auction.url)
    assert f'data-live="/ws/matches/{match.public_id}/?format=html"' in page
    assert f'data-parts="{auction.url}parts/"' in page
    assert f'data-version="{match.public_version}" data-private-version="{ann.version}"' in page
    assert 'data-private-version=""' in browser().look(auction.url)


def test_the_parts_are_those_of_the_page(auction: Table) -> None:
    ann = browser(auction.users["ann"])
    page = re.sub(r'(data-of=[^>]*) action=[^>]*>(<input type="hidden"[^>]*>)*', r"\1>", ann.look(auction.url))
    answer = ann.get(f"{auction.url}parts/").json()
    assert f'data-own-part="{answer["parts"].pop(OWN_PART)}"' in page
    assert set(answer["parts"]) == {*rendering.PUBLIC_PARTS, *rendering.PRIVATE_PARTS}
    assert answer["version"] == auction.match.public_version
    assert answer["private_version"] == auction.player("ann").version
    for name, html in answer["parts"].items():
        assert html in page, f"the page's {name} is another one than the push's"
    assert _checksums(page) == [
        fragments.checksums(bell.fragments(unread(auction.users["ann"]))),
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
    for html in (*parts.values(), *bell.shown_to(auction.users["ann"], "html").values()):
        html = str(html)
        assert f"{part}middleware" not in html
        assert 'name="csrf' not in html


def test_a_match_that_is_due_is_brought_up_to_now_by_whoever_looks(auction: Table) -> None:
    auction.present.instant += timedelta(hours=25)
    assert re.search(r'id="lot-Y" class="lot lot--won"', browser().look(auction.url))
    assert auction.match.next_deadline_at is None


def test_a_draft_is_hidden_from_all_but_its_hosts_and_players(db: None, present: FixedTime) -> None:
    table = Table(present)
    for suffix in ("", "parts/", "rules/", "history/", "news/", "result/", "log/", "log.json"):
        browser().look(table.url + suffix, 404)
        browser(table.users["eve"]).look(table.url + suffix, 404)
    assert browser(table.users["eve"]).post(f"{table.url}act/", {"type": "bid"}).status_code == 404
    assert browser(table.users["eve"]).post(f"{table.url}join/").status_code == 404
    assert "This match is being set up." in browser(table.users["dora"]).look(table.url)
    assert "You have a place" in browser(table.users["ann"]).look(table.url)
    hidden, missing = (browser().look(url, 404) for url in (table.url, "/matches/bcdfghjkmnpq/"))
    changing = r'server-now" content="[^"]+|"X-CSRFToken": "[^"]+'
    assert re.sub(changing, "", hidden) == re.sub(changing, "", missing)


def test_who_waits_for_the_start_is_told_what_to_do_until_then(db: None, present: FixedTime) -> None:
    table = Table(present)
    waits = browser(table.users["ann"]).look(table.url)
    assert "Until play begins" in waits
    assert f'href="/games/{table.match.game}/practice/"' in waits
    assert "Until play begins" not in browser(table.users["dora"]).look(table.url)
    table.open()
    assert "Until play begins" not in browser(table.users["ann"]).look(table.url)


def test_a_paused_match_says_since_when_and_how_much_time_is_left(auction: Table) -> None:
    pause(auction.match, auction.users["dora"], "Power cut.")
    auction.present.instant += timedelta(hours=5)
    page = browser().look(auction.url)
    assert "Paused" in page
    assert "paused since Mon 2 Mar, 14:00 UTC,</span> 24 h left" in page
    told = "The match is paused and its clock stands still until a host resumes it, at the latest until Wed 1 Apr, "
    assert f"{told}14:00 UTC: Power cut." in page


def test_what_is_asked_waits_while_a_match_is_paused(table: Table) -> None:
    ann = browser(table.users["ann"])
    before = ann.look(table.url)
    pause(table.match, table.users["dora"], "Power cut.")
    assert "once the match goes on" not in before
    paused = ann.look(table.url)
    assert "once the match goes on" in paused, "nothing can be sent now"
    assert "match-side--at-rest" not in paused, "the forms keep their place"


def test_a_cancelled_match_says_so(auction: Table) -> None:
    cancel(auction.match, auction.users["dora"], "Nobody is left.")
    page = browser(auction.users["ann"]).look(auction.url)
    assert "Cancelled" in page
    assert "Nobody can act in it any more." in page
    assert "act-form" not in page


def test_times_are_told_in_utc_with_the_viewers_own_zone_beside_them(auction: Table) -> None:
    ann = auction.users["ann"]
    ann.time_zone = "Asia/Tokyo"
    ann.save()
    page = browser(ann).look(auction.url)
    assert 'data-tz="Asia/Tokyo"' in page
    assert "Tue 3 Mar, 14:00 UTC" in page
    parts = browser(ann).get(f"{auction.url}parts/").json()["parts"]
    utc = browser(auction.users["bob"]).get(f"{auction.url}parts/").json()["parts"]
    assert parts["board"] == utc["board"]


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


def test_a_longer_history_takes_no_more_queries(auction: Table) -> None:
    client = browser(auction.users["ann"])
    client.look(auction.url)
    auction.bid("cat", "Y", 6)
    with CaptureQueriesContext(connection) as before:
        client.look(auction.url)
    auction.bid("bob", "Y", 7).bid("cat", "S", 1).bid("ann", "T", 2)
    with CaptureQueriesContext(connection) as after:
        client.look(auction.url)
    assert len(after) <= len(before)


def test_private_pages_are_kept_by_nobody(auction: Table) -> None:
    ann = browser(auction.users["ann"])
    for url in (auction.url, f"{auction.url}parts/", "/me/", "/"):
        assert ann.get(url)["Cache-Control"] == "no-store, private"


@pytest.mark.parametrize("suffix", ["", "parts/", "rules/", "history/", "news/", "result/", "log/"])
def test_pages_are_only_read(auction: Table, suffix: str) -> None:
    assert browser(auction.users["ann"]).post(auction.url + suffix).status_code == 405


def test_new_keys_are_random_and_never_the_same(auction: Table) -> None:
    ann = browser(auction.users["ann"])
    assert ann.key_of(auction.url, "bid") != ann.key_of(auction.url, "bid")
    assert len(views.new_key()) >= 20


def test_the_feed_marks_whom_a_line_is_about(auction: Table) -> None:
    auction.bid("cat", "Y", 6)
    line = feed.feed(Match.objects.get(pk=auction.match_id), None)[0]
    assert line.involved == ("cat", "ann")
    assert line.lot == "Y"
    assert 'data-owner="2 0"' in browser().look(auction.url)


def test_the_feed_involves_nobody_but_players_whom_it_names(auction: Table) -> None:
    """Not even one who is called like something else that an announcement says."""
    ended = Announcement(audience="everyone", kind="auction_ended", data={"how": "silence"})
    assert feed.feed_line(auction.match, ended, {"silence": "Silence", "ann": "Ann"}).involved == ()
    lines = feed.feed(Match.objects.get(pk=auction.match_id), None, 100)
    assert {handle for line in lines for handle in line.involved} == {"ann", "bob"}


@pytest.mark.parametrize("name", VIEWERS)
def test_priorities_are_shown_to_everybody_from_the_opening_on(table: Table, name: str | None) -> None:
    viewer = browser(table.users[name] if name else None)
    page = viewer.look(table.url)
    players = words_of(page[page.index('id="part-players"') :])
    assert re.search(r"An ann 5 priority .*Bo bob 3 priority .*Ca cat 1 priority", players)
    public = json.loads(viewer.look(f"/api/v1/matches/{table.match.public_id}/"))["public"]
    assert [(line["handle"], line["priority"]) for line in public["players"]] == [("ann", 5), ("bob", 3), ("cat", 1)]
    order = words_of(page[page.index('id="order"') :])
    assert "An ann 5 priority Bo bob 3 priority Ca cat 1 priority" in order


def test_priorities_are_not_shown_before_the_opening(db: None, present: FixedTime) -> None:
    table = Table(present)
    publish(table.match, table.users["dora"], starts_at=present.instant + timedelta(hours=1))
    page = browser().look(table.url)
    assert "priority" not in page[page.index('id="part-players"') :]


def test_beside_the_board_spectators_see_who_leads_and_the_news_and_then_how_it_ended(auction: Table) -> None:
    def side(page: str) -> str:
        return page.partition('class="table__side"')[2].partition('class="table__more"')[0]

    running = browser().look(auction.url)
    assert "ann leads: " in side(running)
    assert "the lowest bid, 4 on Y" in side(running)
    assert 'id="part-feed"' in side(running)
    assert "You are watching" in side(running)
    assert running.count('id="part-feed"') == running.count('id="part-players"') == 1
    mine = browser(auction.users["ann"]).look(auction.url)
    assert 'id="part-feed"' not in side(mine)
    assert mine.count('id="part-feed"') == 1
    auction.at(24 * 8)
    over = browser().look(auction.url)
    assert "You are watching" not in over
    assert f'href="{auction.url}result/"' in side(over)
    assert f'href="/games/{SLUG}/"' in side(over)
    assert f'href="{auction.url}recap/"' in side(browser(auction.users["ann"]).look(auction.url))
