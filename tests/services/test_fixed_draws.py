"""What hosts have set instead of having it drawn is told to everybody: that it is set and by whom, not to what."""

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import deletion
from matches.models.clock import FixedTime
from matches.queries.feed import feed
from matches.services import creation, hosting, joining
from tests.services.conftest import person


def test_it_is_told_before_the_start_and_at_the_opening(db: None, present: FixedTime, client: Any) -> None:
    dora = person("dora")
    order = [*range(50, 0, -1)]
    match = creation.create_match("number_auction", "Downwards", by=dora, config={"numbers": order})
    for handle in ("ann", "bob", "cat"):
        joining.add_player(match, handle, is_bot=True)
    hosting.publish(match, dora, present.instant + timedelta(hours=1))
    match.refresh_from_db()
    said = "dora has set the order of the numbers, so the site does not draw it."
    for address in (match.get_absolute_url(), f"{match.get_absolute_url()}rules/"):
        page = client.get(address).content.decode()
        assert said in page
        assert "50, 49" not in page
    answer = client.get(f"/api/v1/matches/{match.public_id}/")
    assert answer.json()["match"]["fixed"] == [{"what": "the order of the numbers", "by": "dora"}]
    assert "50,49" not in answer.content.decode()
    with CaptureQueriesContext(connection) as queries:
        client.get("/api/v1/matches/")
    assert not [each for each in queries if '"matches_submission"' in each["sql"]], "a list does not search each log"
    hosting.start_now(match, dora)
    match.refresh_from_db()
    assert said in feed(match, None)[-1].text
    assert said in client.get(match.get_absolute_url()).content.decode()
    hosting.set_roles(match, dora, [dora, otto := person("otto")], owner=otto)
    deletion.delete(dora)
    match.refresh_from_db()
    for address in (match.get_absolute_url(), f"/api/v1/matches/{match.public_id}/"):
        assert "dora" not in client.get(address).content.decode()
    assert said.replace("dora", f"former.player.{dora.pk}") in feed(match, None)[-1].text
    opened = client.get(f"/api/v1/matches/{match.public_id}/feed/").content.decode()
    assert "match_opened" in opened
    assert "dora" not in opened
