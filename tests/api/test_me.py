"""Who asks, and the matches in which they play."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import ApiToken
from tests.fixtures.described import as_described
from tests.fixtures.site import Site
from tests.fixtures.table import Person, running

pytestmark = pytest.mark.django_db


def get(person: Person, path: str, status: int = 200) -> Any:
    answer = Client().get(path, headers=person.bearer())
    assert answer.status_code == status
    as_described("GET", path, status, answer.json())
    return answer.json()


def test_a_token_is_told_whose_it_is_what_it_may_and_how_long() -> None:
    ann = running(Site("", ""))[0].people[0]
    token = ApiToken.objects.get(user=ann.user)
    said = get(ann, "/api/v1/me/")
    assert said["username"] == ann.username
    expires_at = token.expires_at.isoformat().replace("+00:00", "Z")
    assert said["token"] == {"name": token.name, "scope": "act", "match": None, "expires_at": expires_at}
    assert ann.browser.get("/api/v1/me/").json()["token"] is None
    assert get(Person(Site("", "")), "/api/v1/me/", 401)["code"] == "not_signed_in"


def test_ones_matches_come_with_what_is_asked_there() -> None:
    first, second = running(Site("", ""), matches=2)
    ann = first.people[0]
    found = get(ann, "/api/v1/me/matches/")
    assert [each["match"]["id"] for each in found["matches"]] == [first.id]
    assert found["matches"][0]["handle"] == ann.handle
    view = get(ann, f"/api/v1/matches/{first.id}/")
    assert found["matches"][0]["asked"] == view["private"]["asked"]
    assert found["matches"][0]["versions"] == view["versions"]
    assert get(ann, f"/api/v1/me/matches/?after={second.id}", 400)["code"] == "malformed"
