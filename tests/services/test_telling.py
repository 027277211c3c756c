"""Who is told what: audiences, feeds and notices."""

import pytest

from matches.models import Announcement
from matches.queries import feed
from matches.services import hosting
from matches.services.locking import locked_match
from matches.services.notices import mark_read
from tests.services.conftest import DAY, HOUR, Table, person

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def told(table) -> Table:
    """Something was told to each kind of audience."""
    audiences = ("everyone", "hosts", "player:ann")
    with locked_match(table.match_id) as writer:
        row = table.match.log.latest("number")
        for audience in audiences:
            writer.announce(row, audience, "news", text=audience)
    return table


def heard(table: Table, handle: str | None) -> set[str]:
    player = table.player(handle) if handle else None
    items = feed.feed(table.match, player)
    tokens = {item.token for item in items if item.kind == "news"}
    return set(Announcement.objects.filter(token__in=tokens).values_list("audience", flat=True))


@pytest.mark.parametrize(
    ("who", "hears"),
    [
        (None, {"everyone"}),
        ("ann", {"everyone", "player:ann"}),
        ("bob", {"everyone"}),
        ("cat", {"everyone"}),
    ],
)
def test_everyone_hears_what_is_for_them(told, who, hears):
    assert heard(told, who) == hears


def test_a_private_announcement_is_a_notice_until_it_is_read(told):
    ann, bob = told.users["ann"], told.users["bob"]
    ((_, line),) = feed.unread_notices(ann)
    assert mark_read(bob, [line.token]) == 0
    assert mark_read(ann, [line.token]) == 1
    assert mark_read(ann, [line.token]) == 0
    assert not feed.unread_notices(ann)


def test_all_notices_of_one_match_or_of_all_can_be_read_at_once(told, present):
    other = Table(present, "ann bob cat").open()
    hosting.correct_balance(told.match, told.host, told.player("ann"), "garnet", 1, "x")
    ann = told.users["ann"]
    assert mark_read(ann, match_id=other.match_id) == 0
    assert mark_read(ann, match_id=told.match_id) == 2


def test_what_answers_ones_own_action_is_in_the_feed_and_is_no_notice(table, monkeypatch):
    from tests.engine.tiny_game import TinyGame

    right = TinyGame._buy

    def telling(self, state, turn, player, count):
        turn.tell(player, "news", text="bought")
        turn.tell("bob", "news", text="somebody bought")
        return right(self, state, turn, player, count)

    monkeypatch.setattr(TinyGame, "_buy", telling)
    table.act("ann", "buy_chips", count=1)
    assert not feed.unread_notices(table.users["ann"])
    assert len(feed.unread_notices(table.users["bob"])) == 1
    assert any(line.mine for line in feed.feed(table.match, table.player("ann")))


def test_a_decision_made_by_a_host_is_a_notice_to_its_player(table):
    table.at(HOUR).act("ann", "bid", amount=3)
    table.at(DAY).advance()
    hosting.decide_for(
        table.match, table.host, table.player("ann"), {"type": "name_candidate", "player": "bob"}, "away"
    )
    kinds = [line.kind for _, line in feed.unread_notices(table.users["ann"])]
    assert "decision_by_host" in kinds


def test_announcements_have_names_that_count_nothing(told):
    tokens = list(Announcement.objects.values_list("token", flat=True))
    assert len(set(tokens)) == len(tokens)
    assert all(len(token) == 12 for token in tokens)


def test_strangers_have_no_notices(told):
    assert not feed.unread_notices(person("zoe"))
