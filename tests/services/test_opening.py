"""From a draft to a running match."""

import pytest

from matches.models import Match
from matches.queries.match_info import info_of
from matches.services import hosting
from matches.services.deadlines import advance
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.services.conftest import DAY, HOUR, Table

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def draft(present) -> Table:
    return made_once("draft", lambda: Table(present), present)


def set_up(draft: Table, **fields) -> None:
    Match.objects.filter(pk=draft.match_id).update(**fields)


def test_a_machine_that_slept_over_start_and_close_does_both_in_order(draft):
    hosting.publish(draft.match, draft.host, START + HOUR)
    assert info_of(draft.match).seed_hash == draft.match.seed_hash  # nobody can choose another seed from now on
    draft.at(10 * DAY)
    assert advance(draft.match_id) > 0
    match = draft.match
    assert match.status == "finished"
    assert match.pregame_ended_at == START + HOUR
    assert match.finished_at == START + HOUR + DAY  # nobody bid, one draw, nothing else to decide


def test_an_action_opens_a_match_whose_start_has_come(draft):
    hosting.publish(draft.match, draft.host, START + HOUR)
    draft.at(HOUR)
    assert draft.act("ann", "bid", amount=1).accepted
    assert draft.match.opened_at == START + HOUR


def test_the_seeds_hash_is_told_when_the_match_opens(table):
    told = table.match.announcements.get(kind="match_opened")
    assert told.audience == "everyone"
    assert told.data == {"seed_hash": table.match.seed_hash}


def test_a_cancelled_draft_stays_unknown_and_a_cancelled_coming_match_does_not_vanish(draft, present):
    set_up(draft, starts_at=START + HOUR)  # noted, never published
    hosting.cancel(draft.match, draft.host, "no time")
    assert not draft.match.is_public
    other = Table(present)
    hosting.publish(other.match, other.host, START + HOUR)
    hosting.cancel(other.match, other.host, "no time")
    assert other.match.is_public
