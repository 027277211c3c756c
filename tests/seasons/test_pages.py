"""What the pages of a season tell, and whom they lead to."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from matches.models import Match, clock
from matches.services.creation import create_match
from seasons.models import Season
from seasons.queries.access import viewer_of
from seasons.queries.export import Flow, statement
from seasons.queries.news import news_for
from seasons.services import running
from talk.services import posting
from tests.admin.conftest import browser_of, text_of
from tests.fixtures.any_game import SLUG, SMALL
from tests.seasons.played import HOST, three_matches

pytestmark = pytest.mark.django_db


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", main_of(page)).split())


@pytest.fixture
def ended(db: None) -> Season:
    return three_matches(end=True)


@pytest.fixture
def going(db: None) -> Season:
    return three_matches(end=False)


def test_after_the_end_one_page_has_winners_table_and_story(ended: Season) -> None:
    page = text_of(Client().get(f"{ended.get_absolute_url()}story/"))
    before, _, after = words(page).partition("How it ended")
    assert "Annabel" in before
    table, _, story = after.partition("The season from its beginning")
    assert "out, place 6" in table
    assert table.count("1st place") == 5
    for told in ("The season has begun with Annabel", "Won by", "Lost 3 to 1.", "The season has ended."):
        assert told in story


def test_a_statement_explains_all_that_somebody_has(going: Season) -> None:
    ann = going.cast.get(handle="ann")
    found = statement(ann)
    assert found.has == {"garnet": 0, "priority": found.has["priority"], "blood_garnet": found.has["blood_garnet"]}
    first, void, now = found.through
    assert [each.is_settled for each in found.through] == [True, True, False]
    by_asset = {flow.asset: flow for flow in void.flows}
    assert by_asset["garnet"].brought == by_asset["garnet"].back == 4 + {f.asset: f.back for f in first.flows}["garnet"]
    assert {flow.asset: flow for flow in now.flows}["garnet"] == Flow("garnet", by_asset["garnet"].back, 0)
    total = sum(line.change for line in found.lines if line.asset == "garnet")
    assert total == found.has["garnet"]
    going.ledger.filter(reason="brought", asset="garnet", giver=ann).update(giver=None, receiver=ann)
    assert statement(ann).through[1].flows[0] == Flow("garnet", -by_asset["garnet"].back, by_asset["garnet"].back)

    page = text_of(browser_of(ann.user).get(f"{going.get_absolute_url()}statement/"))
    told = words(page)
    assert "Only you and the hosts see this page." in told
    assert "“Won a quiz.”" in told
    assert "What is left comes back when the match is settled" in told
    fay = text_of(browser_of(User.objects.get(username=HOST)).get(f"{going.get_absolute_url()}statement/fay/"))
    assert "Goes to the winner of the Death Match or final ( Catriona )" in words(fay)
    read = re.sub(r"<[^>]+>", "", main_of(fay))  # as it is read: only what is written keeps words apart
    assert "the Death Match or final (Catriona)" in read


def _read_by(season: Season, username: str) -> str:
    """The page and what programs read of it, as one person sees them; a visitor without a name."""
    client = browser_of(User.objects.get(username=username)) if username else Client()
    address = f"/api/v1/seasons/{season.public_id}/"
    pages = (season.get_absolute_url(), address, f"{address}feed/")
    return " ".join(text_of(client.get(page)) for page in pages)


def test_a_member_reads_first_what_waits_for_them(going: Season) -> None:
    ann, bob = (User.objects.get(username=f"user-{name}") for name in ("ann", "bob"))
    url = going.get_absolute_url()
    assert "Your season now" not in text_of(Client().get(url))
    assert "Your season now" not in text_of(browser_of(User.objects.get(username=HOST)).get(url))
    running_match = going.matches.get(match__status__in=Match.RUNNING).match
    running_match.players.filter(handle="ann").update(user=ann)
    posting.post(going, bob, "lounge", "Who reads this?", "key")
    before, found, mine = words(text_of(browser_of(ann).get(url))).partition("Your season now")
    assert found
    assert "Standings" not in before
    mine = mine.partition("Standings")[0]
    assert [part for part in ("1 unread message in talk", running_match.title, "UTC") if part not in mine] == []
    own = words(text_of(browser_of(ann).get("/me/")))
    assert own.index("1 unread message in talk") < own.index(running_match.title)


def test_nobody_outside_the_cast_is_asked_to_join_one_of_its_matches(going: Season) -> None:
    match = create_match(SLUG, "Only for us", hosts=(User.objects.get(username=HOST),), config=SMALL)
    going.matches.create(match=match, number=9)
    starts_at = clock.now() + timedelta(days=1)
    Match.objects.filter(pk=match.pk).update(status="scheduled", starts_at=starts_at, joining="open", places=9)
    for username in (None, "outsider", HOST):
        reader = username and User.objects.get_or_create(username=username)[0]
        assert "Only for us" not in _joinable(reader)
    assert "Only for us" in _joinable(going.cast.exclude(user=None).filter(status="in").first().user)


def _joinable(reader: User | None) -> str:
    page = text_of((browser_of(reader) if reader else Client()).get("/"))
    return page.partition("tables-title")[2].partition("</section>")[0]


def test_what_is_told_to_its_hosts_is_for_them(going: Season) -> None:
    row, data = going.log.latest("number"), {"match": "1"}
    going.news.create(row=row, audience="hosts", kind="confirm_asked", data=data, at=row.received_at)
    told = news_for(viewer_of(going, User.objects.get(username=HOST)), {}, 1)[0].text
    assert told in _read_by(going, HOST)
    for username in ("", "user-ann"):
        assert told not in _read_by(going, username)


def test_the_draft_of_its_next_match_is_for_its_hosts(going: Season) -> None:
    draft = running.add_match(going, User.objects.get(username=HOST), SLUG)
    Match.objects.filter(pk=draft.pk).update(title="What comes next")
    assert "What comes next" in _read_by(going, HOST)
    for username in ("", "user-ann"):
        assert "What comes next" not in _read_by(going, username)
