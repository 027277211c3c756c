"""What hosts have set instead of having it drawn is told to everybody: that it is set and by whom, not to what."""

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

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
