"""Who is told what: audiences and feeds."""

import pytest

from matches.models import Announcement
from matches.queries import feed
from matches.services.locking import locked_match
from tests.services.conftest import Table

pytestmark = [pytest.mark.django_db]


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


def test_what_answers_ones_own_action_is_in_the_feed_and_is_no_notice(table, monkeypatch):
    from tests.engine.tiny_game import TinyGame

    right = TinyGame._buy

    def telling(self, state, turn, player, count):
        turn.tell(player, "news", text="bought")
        turn.tell("bob", "news", text="somebody bought")
        return right(self, state, turn, player, count)

    monkeypatch.setattr(TinyGame, "_buy", telling)
    table.act("ann", "buy_chips", count=1)
    told = {item.player.handle: item.read_at for item in Announcement.objects.filter(kind="news")}
    assert told == {"ann": table.present.instant, "bob": None}
    assert any(line.mine for line in feed.feed(table.match, table.player("ann")))
