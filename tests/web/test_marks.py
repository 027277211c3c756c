"""A person's mark is theirs in all matches, and people at one table are told apart."""

import pytest

from accounts.marks import colour_of, edge_of, mark_with, own_mark, shape_of, told_apart
from accounts.models import User
from matches.pages.context import people_of
from tests.web.conftest import Table, browser


@pytest.mark.parametrize("count", [2, 12, 13, 60])
def test_at_one_table_no_two_share_shape_and_edge_or_colour_and_edge(count: int) -> None:
    for wanted in ([mark_with(3, 7)] * count, [None] * count, [n * 37 % 576 if n % 3 else None for n in range(count)]):
        found = told_apart(wanted)
        assert len(set(found)) == count
        assert len({(shape_of(each), edge_of(each)) for each in found}) == min(count, 48) or count > 48
        assert len({(colour_of(each), edge_of(each)) for each in found[:48]}) == min(count, 48)


def test_it_is_chosen_in_the_profile_and_shown_in_every_match(table: Table) -> None:
    ann = table.users["ann"]
    client = browser(ann)
    assert "Shape of your mark" in client.look("/profile/")
    said = {"display_name": "", "time_zone": "UTC", "theme": "auto", "shape": "9", "colour": "4"}
    assert client.post("/profile/", said).status_code == 302
    assert User.objects.get(pk=ann.pk).mark == mark_with(9, 4)
    found = people_of(table.match).get("ann")
    assert found is not None
    assert found.mark == mark_with(9, 4)
    assert client.post("/profile/", said | {"shape": "12"}).status_code == 200
    other = User.objects.create_user("somebody", "s@example.org", None)
    assert own_mark("somebody", None) == other.own_mark
