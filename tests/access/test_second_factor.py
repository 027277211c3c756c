"""Where a second factor is asked of everybody, no address and no socket gives anything to a session that owes it."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken
from accounts.second_factor import ALWAYS_OPEN, OPEN, Owed
from matches.live.admission import NotAdmitted, admit_to_desk, admit_to_match, admit_to_notices
from matches.models import clock
from notices.events import MENTIONED
from notices.models import Notice
from tests.access.cast import START, Cast, cast_at
from tests.access.expected import FAMILIES
from tests.access.routes import address
from tests.access.test_matrix import _answer, routes_of
from tests.fixtures.chosen import one_in
from tests.fixtures.proven import proven

pytestmark = pytest.mark.usefixtures("error_pages_once")

PLACES = {Owed.FACTOR: "mfa_index", Owed.PROOF: "mfa_reauthenticate"}
METHODS = ("get", "post")
SECRET = "Only the boss may read this."


@pytest.fixture
def cast(db: None, settings: Any) -> Iterator[Cast]:
    settings.SECOND_FACTOR, settings.MFA_ALLOW_UNVERIFIED_EMAIL = "everybody", True
    with cast_at(START) as cast:
        yield cast


def session_of(cast: Cast, role: str, owes: Owed | None) -> Client:
    """A browser of this person, who owes that."""
    person = cast.people[role]
    if owes is not Owed.FACTOR:
        TOTP.activate(person, generate_totp_secret())
    browser = cast.browser(role)
    if owes is None:
        proven(browser, "mfa")
    return browser


def tell_the_boss(cast: Cast) -> None:
    """A notice, which every page of theirs shows."""
    said = {"source": "x", "event": MENTIONED, "title": SECRET, "text": SECRET, "url": "/", "at": clock.now()}
    Notice.objects.create(user=cast.people["boss"], **said)


def everywhere(cast: Cast, part: int = 1) -> list[tuple[str, str]]:
    """Every address and method, or one in so many of them, in each run others."""
    routes = [route for family in FAMILIES for row in family.rows for route in routes_of(row)]
    return [(method, address(route, cast, "open")) for method, route in one_in(part, [*product(METHODS, routes)])]


def is_led(answer: Any, place: str) -> bool:
    """Whether the answer is no other than where to go first."""
    if answer.status_code == 403 and answer["Content-Type"] == "application/json":
        return bool(answer.json()["code"] == "second_factor_required")
    return answer.status_code == 302 and answer["Location"].partition("?")[0] == place


@pytest.mark.parametrize("owes", Owed)
def test_every_address_leads_there_first(cast: Cast, owes: Owed) -> None:
    browser, place = session_of(cast, "boss", owes), reverse(PLACES[owes])
    tell_the_boss(cast)
    opened = {reverse(name) for name in (*ALWAYS_OPEN, *OPEN[owes])}
    led, shown = [], []
    for method, url in everywhere(cast, part=3):
        answer = _answer(browser, method, url)
        (led if is_led(answer, place) else shown).append(url)
        assert answer.status_code < 500
        assert answer.streaming or SECRET.encode() not in answer.content, url
    assert set(shown) - opened == set()
    assert len(led) > 150


def test_without_debts_nothing_leads_there(cast: Cast) -> None:
    """The control: some of the same addresses, the same person. The matrix asks for all of them."""
    browser = session_of(cast, "boss", None)
    tell_the_boss(cast)
    assert SECRET in browser.get(reverse("mfa_index")).content.decode()
    led = [
        url
        for method, url in everywhere(cast, part=30)
        if is_led(_answer(browser, method, url), reverse("mfa_index")) and not url.startswith("/accounts/2fa/")
    ]
    assert led == []


@pytest.mark.parametrize("owes", [*Owed, None])
def test_a_socket_of_such_a_session_is_nobodys(cast: Cast, owes: Owed | None) -> None:
    browser, match = session_of(cast, "player", owes), cast.matches["open"]
    cookies = "; ".join(f"{name}={each.value}" for name, each in browser.cookies.items())
    headers = {b"cookie": cookies.encode()}
    ticket = admit_to_match(headers, match.public_id, "json")
    assert [key.player is not None for key in ticket.keys] == ([False, True] if owes is None else [False])
    assert (ticket.user_id is None) == (owes is not None)
    for admit in (admit_to_desk, admit_to_notices):
        if owes is None:
            assert admit(headers, "json").number == cast.people["player"].pk
            continue
        with pytest.raises(NotAdmitted) as refused:
            admit(headers, "json")
        assert refused.value.close == 4401


def test_a_token_of_somebody_without_one_opens_nothing_and_acts_nowhere(cast: Cast) -> None:
    secret = ApiToken.issue(cast.people["player"], "a program")[1]
    bearer = {"Authorization": f"Bearer {secret}"}
    match = cast.matches["open"]
    with pytest.raises(NotAdmitted) as refused:
        admit_to_match({b"authorization": bearer["Authorization"].encode()}, match.public_id, "json")
    assert (refused.value.close, refused.value.code) == (4401, "second_factor_required")
    for method, url in everywhere(cast):
        if url.startswith("/api/v1/matches/") and method == "post":
            answer = Client(headers=bearer).post(url, {"type": "bid"}, content_type="application/json")
            assert answer.status_code in (400, 403, 404, 405, 422), url
            assert answer.json()["code"] in ("second_factor_required", "method_not_allowed", "malformed"), url
    assert match.log.filter(player__user=cast.people["player"]).count() == 0
