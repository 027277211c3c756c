"""A person's mark is theirs in all matches, and people at one table are told apart."""

import pytest

from accounts.marks import colour_of, edge_of, mark_with, own_mark, shape_of, told_apart
from accounts.models import User
from matches.pages.context import people_of
from tests.web.conftest import Table, browser


def test_a_mark_is_made_of_its_parts_and_small_numbers_differ_in_all_of_them() -> None:
    for shape in range(12):
        for colour in range(12):
            for edge in range(4):
                mark = mark_with(shape, colour, edge)
                assert (shape_of(mark), colour_of(mark), edge_of(mark)) == (shape, colour, edge)
    assert [(shape_of(n), colour_of(n), edge_of(n)) for n in range(12)] == [(n, n, 0) for n in range(12)]


@pytest.mark.parametrize("count", [2, 12, 13, 60])
def test_at_one_table_no_two_share_shape_and_edge_or_colour_and_edge(count: int) -> None:
    for wanted in ([mark_with(3, 7)] * count, [None] * count, [n * 37 % 576 if n % 3 else None for n in range(count)]):
        found = told_apart(wanted)
        assert len({(shape_of(each), edge_of(each)) for each in found}) == min(count, 48) or count > 48
        assert len({(colour_of(each), edge_of(each)) for each in found[:48]}) == min(count, 48)


def test_whoever_is_first_has_their_own_and_open_places_take_what_is_left() -> None:
    assert told_apart([None, mark_with(0, 0), mark_with(0, 5)]) == [mark_with(2, 1), mark_with(0, 0), mark_with(1, 5)]


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
