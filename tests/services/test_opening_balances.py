"""Where players do not all bring the same into a match, everybody reads before the start who has set that."""

from datetime import timedelta

from matches.models import Match, clock
from matches.queries.feed import feed
from matches.services.hosting import publish
from matches.services.replay import verify
from matches.services.roster import PlayerChange, change_players
from tests.services.conftest import START, Table


def test_what_differs_is_told_when_it_is_set_and_how_much_where_that_is_public(
    db: None, present: clock.FixedTime
) -> None:
    table = Table(present)
    ann = table.player("ann")
    publish(table.match, table.host, START + timedelta(days=1))
    assert table.match.announcements.filter(kind="opening_balances_differ").count() == 0
    for values in ({"garnets": 17}, {"priority": 4}, {"name": "Ann"}):
        change_players(table.match, table.host, [PlayerChange(ann.pk, values)])
    change_players(table.match, table.host, [PlayerChange(ann.pk, {"garnets": 18})])  # how much is private
    again, public, private = (line.text for line in feed(table.match, None) if "to begin with" in line.text)
    assert again == public
    by = f"The host {table.host.username} has given players different amounts of "
    assert private == f"{by}garnets to begin with. The amounts become public when the match is over."
    assert public.startswith(f"{by}priority and garnets to begin with. Priority: Ann 4, bob")
    Match.objects.filter(pk=table.match_id).update(joining="open", places=8, open_places="without")
    others = [PlayerChange(table.player(name).pk, {"garnets": 18, "priority": 4}) for name in ("bob", "cat")]
    change_players(table.match, table.host, others)
    assert table.match.announcements.filter(kind="opening_balances_differ").count() == 4  # from those who may yet join
    publish(table.match, table.host)
    assert table.match.status == "open"
    assert table.match.announcements.filter(kind="opening_balances_differ").count() == 4
    assert verify(table.match) == []
