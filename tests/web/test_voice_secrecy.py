"""Twin matches that differ only in who asked the hosts what, or who was reminded: nobody else can tell them apart, on
any page, at any socket, in the log after the match."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, Question, clock
from matches.services import hosting
from matches.services.questions import ask_hosts
from tests.fixtures.chosen import one_in
from tests.secrecy.site import Twins, nothing, unlike_frames, unlike_pages
from tests.web.conftest import Table, browser

Step = Callable[[Table], object]

MORE = ("hosts/",)
SEES_NOTHING = ("visitor", "eve", "cat")


@pytest.fixture
def make(present: clock.FixedTime) -> Callable[[dict[str, Any]], Table]:
    def table(config: dict[str, Any]) -> Table:
        present.instant = present.instant.replace(day=1, month=3, hour=14, minute=0)
        made = Table(present, **config)
        Match.objects.filter(pk=made.match_id).update(seed="07" * 32)  # what is drawn at the end is the same
        return made.open()

    return table


def asks(name: str, text: str = "May one bid 0?") -> Step:
    return lambda table: ask_hosts(table.match_id, table.users[name].pk, text)


def _last(table: Table) -> str:
    return Question.objects.filter(match_id=table.match_id).latest("pk").token


def answers(text: str = "No.") -> Step:
    return lambda table: hosting.answer(table.match, table.users["dora"], _last(table), text)


def tells_everybody(text: str = "No.") -> Step:
    return lambda table: hosting.answer_to_everybody(
        table.match, table.users["dora"], _last(table), text, asked="Can one bid 0?"
    )


def reminds(table: Table) -> None:
    hosting.remind(table.match, table.users["dora"])


def bids(name: str) -> Step:
    return lambda table: table.bid(name, "Y", 3)


def finishes(table: Table) -> None:
    """To its end, whoever has bid."""
    table.at(24 * 20)
    assert Match.objects.get(pk=table.match_id).is_over


TWINS = {
    "who asked what is answered to everybody": Twins(
        SEES_NOTHING, [asks("ann"), tells_everybody()], [asks("bob", "I, bob: 0?"), tells_everybody()]
    ),
    "who asked what is answered in private": Twins(
        SEES_NOTHING, [asks("ann"), answers()], [asks("bob", "Something longer?"), answers("Yes, of course.")]
    ),
    "whether anybody asks": Twins(
        (*SEES_NOTHING, "bob"), [asks("ann"), answers(), asks("ann")], [nothing, nothing, nothing]
    ),
    "the same after the match": Twins(
        SEES_NOTHING,
        [asks("ann"), tells_everybody(), asks("bob"), answers(), finishes],
        [asks("bob"), tells_everybody(), asks("ann", "Or so?"), answers("It is."), finishes],
    ),
    "whether hosts have reminded somebody": Twins(
        ("visitor", "eve", "cat"), [bids("cat"), reminds], [bids("cat"), nothing]
    ),
    # Who is reminded depends on who has bid, which everybody reads when the match is over: until then nobody can tell.
    "whom hosts have reminded": Twins(("visitor", "eve"), [bids("cat"), reminds], [bids("bob"), reminds]),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", one_in(2, [*TWINS]))
def test_nobody_can_tell_them_apart_on_any_page(make: Any, name: str) -> None:
    assert unlike_pages(make, TWINS[name], more=MORE) == []


@pytest.mark.django_db
def test_the_notes_are_the_same_for_programs(make: Any) -> None:
    twins = TWINS["who asked what is answered to everybody"]
    more = [f"/api/v1/matches/{{}}/{page}/" for page in ("notes", "hosts")]
    found = []
    for steps in (twins.one, twins.other):
        table = make({})
        for step in steps:
            step(table)
        url = [each.format(table.match.public_id) for each in more]
        texts = [browser(table.users.get(name)).get(each).content.decode() for each in url for name in twins.viewers]
        token = table.match.notes.get().token
        found.append([text.replace(token, "TOKEN") for text in texts])
        assert not re.search(r"\b(ann|bob)\b", "".join(found[-1]))
    assert found[0] == found[1]


@pytest.mark.django_db
def test_the_asker_and_the_hosts_see_the_difference(make: Any) -> None:
    """Or the twins would prove nothing."""
    twins = TWINS["who asked what is answered in private"]._replace(viewers=("ann", "bob"))
    assert {viewer for viewer, _ in unlike_pages(make, twins, more=MORE, everything=True)} == {"ann", "bob"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["who asked what is answered to everybody", "whether anybody asks"])
def test_nobody_can_tell_them_apart_at_any_socket(make: Any, name: str) -> None:
    assert unlike_frames(make, TWINS[name]) == []


@pytest.mark.django_db
def test_an_answer_takes_no_time_of_others(make: Any) -> None:
    """A viewer's pages hold no number that goes up with others' questions."""
    table = make({})
    table.present.instant += timedelta(hours=1)
    before = browser(table.users["cat"]).get(f"/api/v1/matches/{table.match.public_id}/").json()["versions"]
    asks("ann")(table)
    answers()(table)
    assert browser(table.users["cat"]).get(f"/api/v1/matches/{table.match.public_id}/").json()["versions"] == before
