"""What answers an action is in the feed of whoever acted."""

import pytest

from matches.models import Announcement
from matches.queries import feed

pytestmark = [pytest.mark.django_db]


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
