"""Sums agree after all that can be done about them in one season: corrections, a cancelled match, a substitute, and a
settlement that was done again because a balance was corrected after the end."""

from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from matches.engine.strict_json import canonical, loads
from matches.models import Match
from matches.services import hosting
from matches.services.deadlines import advance
from matches.services.replay import verify as verify_match
from seasons.engine.verification import prove, read
from seasons.models import Member, Season, SeasonEntry
from seasons.queries import standing
from seasons.queries.export import exported
from seasons.services import people, running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from tests.fixtures.any_game import SLUG

pytestmark = pytest.mark.django_db

ACCOUNTS = {"ann": 1, "bob": 2, "cat": 3, "dan": 4}


@pytest.fixture
def season() -> Season:
    """A season in which each match is settled when its host says so, and whose loser's garnets are lost."""
    season = create_season("Sums", _person("hanna"), settings={"settlement": "confirmed", "opponent": "none"})
    for name, number in ACCOUNTS.items():
        add_member(season, season.roles.get().user, name, is_bot=True, garnets=number, priority=number)
    running.begin(season, season.roles.get().user)
    return season


def _person(name: str) -> User:
    return User.objects.create_user(name, is_staff=name == "hanna")


def _garnets(player: Any) -> int:
    found = player.holdings.filter(asset="garnet").values_list("amount", flat=True).first()
    return int(found or 0)


def _played(match: Match, host: User) -> Match:
    for _ in range(60):
        match.refresh_from_db()
        if match.is_over:
            return match
        hosting.close_deadline(match, host, "")
        advance(match.pk)
    raise AssertionError("it does not come to an end")


def _from_entries(season: Season, asset: str) -> dict[str, int]:
    """What each member has: the sum of the ledger's entries, counted here."""
    sums: Counter[str] = Counter()
    for entry in season.ledger.filter(asset=asset).select_related("giver", "receiver"):
        for member, sign in ((entry.receiver, 1), (entry.giver, -1)):
            if member is not None:
                sums[member.handle] += sign * entry.amount
    return dict(sums)


def test_standings_stay_as_they_were_settled_while_a_match_goes_on(season: Season) -> None:
    hanna = season.roles.get().user
    hosting.start_now(running.add_match(season, hanna, SLUG), hanna)
    running.sweep()
    season.refresh_from_db()
    state = season.decoded()
    assert state is not None
    assert set(_from_entries(season, "garnet").values()) == {0}, "all of it is in the match"
    lines = standing.standings(season, state)
    assert {line.handle: line.account["garnet"] for line in lines} == ACCOUNTS


def test_sums_agree_after_corrections_a_cancelled_match_a_substitute_and_a_redone_settlement(season: Season) -> None:
    hanna = season.roles.get().user
    running.command(season, hanna, {"correct": {"player": "dan", "asset": "garnet", "amount": -2}, "reason": "A slip."})

    void = running.add_match(season, hanna, SLUG)
    hosting.start_now(void, hanna)
    hosting.correct_balance(void, hanna, void.players.get(handle="ann"), "garnet", 9, "A slip.")
    hosting.cancel(void, hanna, "Too few have time.")
    running.sweep()
    assert _from_entries(season, "garnet") == ACCOUNTS | {"dan": 2}, "as if it had not been"

    match = running.add_match(season, hanna, SLUG)
    hosting.start_now(match, hanna)
    people.replace_person(season, hanna, season.cast.get(handle="bob"), _person("zoe"), "Zoe wants to play.")
    _played(match, hanna)
    running.sweep()
    assert sum(_from_entries(season, "garnet").values()) == 0, "all of it is in the match until a host confirms"
    hosting.correct_balance(match, hanna, match.players.get(handle="bob"), "garnet", 5, "A prize was forgotten.")
    running.command(season, hanna, {"settle": True})
    lucky = str(season.cast.filter(status=Member.Status.IN).values_list("handle", flat=True)[0])
    running.command(season, hanna, {"correct": {"player": lucky, "asset": "garnet", "amount": 1}, "reason": "A prize."})

    season = Season.objects.get(pk=season.pk)
    inside = {player.handle: _garnets(player) for player in match.players.all()}
    (out,) = season.cast.filter(status=Member.Status.OUT).values_list("handle", flat=True)  # chance decides who
    assert inside["bob"] >= 5, "what was corrected after the end came back, too"
    assert _from_entries(season, "garnet") == inside | {out: 0, lucky: inside[lucky] + 1}
    assert season.cast.get(handle="bob").user == User.objects.get(username="zoe")

    running.command(season, hanna, {"end": True})
    season.refresh_from_db()
    file = canonical(exported(season))
    assert verify(season) == []
    assert [verify_match(each.match) for each in season.matches.select_related("match")] == [[], []]
    assert prove(read(loads(file.encode()))) == []

    # Whichever of these entries is changed, both find it.
    for reason in ("opening", "correction", "brought", "returned", "cancelled"):
        entry = season.ledger.filter(reason=reason, asset="garnet").first()
        assert entry is not None, reason
        SeasonEntry.objects.filter(pk=entry.pk).update(amount=entry.amount + 1)
        assert verify(season), reason
        assert prove(read(loads(canonical(exported(season)).encode()))), reason
        SeasonEntry.objects.filter(pk=entry.pk).update(amount=entry.amount)
    assert verify(season) == []
