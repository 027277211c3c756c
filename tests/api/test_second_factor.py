"""Where the site asks a second factor of somebody who has none, their programs wait, on the short way as well."""

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from tests.fixtures.site import Site
from tests.fixtures.table import running
from tests.live.test_sockets import closed_with, frame, opened


@pytest.mark.both
@pytest.mark.parametrize("query", ["", "?dry_run=1"])
def test_actions_wait_until_there_is_one_and_then_count(site: Site, settings: Any, query: str) -> None:
    (table,) = running(site)
    ann, bid = table.people[0], table.good_bid(0)
    assert ann.post(bid, query="?dry_run=1").status == 200  # from then on it is known whose token this is
    length = table.match.log.count()
    settings.SECOND_FACTOR = "everybody"
    refused = ann.post(bid, query=query)
    assert (refused.status, refused.code) == (403, "second_factor_required")
    assert table.match.log.count() == length
    settings.SECOND_FACTOR = "hosts"  # and ann plays
    assert ann.post(bid, query="?dry_run=1").status == 200
    settings.SECOND_FACTOR = "everybody"
    TOTP.activate(ann.user, generate_totp_secret())
    assert ann.post(bid, query=query).status == 200


@pytest.mark.both
def test_sockets_as_well(site: Site, settings: Any) -> None:
    (table,) = running(site)
    ann = table.people[0]
    settings.SECOND_FACTOR = "everybody"
    for address in (f"/ws/matches/{ann.match_id}/", "/ws/me/", "/ws/desk/"):
        with opened(ann.site, f"{address}?format=json", **ann.bearer()) as program:
            told, code = closed_with(program)
            assert (told[0]["error"]["code"], code) == ("second_factor_required", 4401)
    TOTP.activate(ann.user, generate_totp_secret())
    with opened(ann.site, f"/ws/matches/{ann.match_id}/?format=json", **ann.bearer()) as program:
        assert "private" in frame(program)
