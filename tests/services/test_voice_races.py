"""Two hosts at once: one answers a question, one reminds, one corrects a note; the other is told so."""

from collections import Counter

import pytest

from matches.models import Question, clock
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from tests.services.conftest import Table, person
from tests.services.racer import race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

TIMES = 3


@pytest.fixture
def hosted() -> Table:
    """A match of three hosts that has just begun."""
    table = Table(clock.FixedTime(clock.now())).open()
    table.match.roles.create(user=person("emil"), role="cohost")
    table.match.roles.create(user=person("fred"), role="cohost")
    return table


def questions(table: Table) -> list[str]:
    """Some questions, each of which every host answers at the same moment: each has seen that it is open."""
    asked = []
    for number in range(TIMES):
        handle = ("ann", "bob", "cat")[number % 3]
        asked.append(ask_hosts(table.match_id, table.users[handle].pk, f"{number}?").question.token)
    return asked


def test_a_question_is_answered_by_one_host(hosted: Table) -> None:
    task = {"do": "answer", "match": hosted.match_id, "questions": questions(hosted)}
    outcomes = sum(race([{**task, "user": host.pk} for host in hosted.match.hosts.all()]), Counter())
    assert outcomes == {"done": TIMES, "command_refused": 2 * TIMES}
    assert hosted.match.announcements.filter(kind="question_answered").count() == TIMES
    assert not Question.objects.filter(answered_at=None).exists()
    assert verify(hosted.match) == []
