"""A double click, a program that asks again, twenty at once: the same request does a thing once.

Every address outside the console that takes something is here; a new one fails until it is. What can be asked for in
this cast is sent twice. A match's console has a test of its own (tests/admin/test_all_is_logged.py).
"""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.core.cache import cache
from django.test import Client

from matches.models import Match
from matches.services import joining
from matches.services.hosting import publish
from seasons.services import invitations as season_invitations
from seasons.services.cast import add_member
from talk.services.limits import talk_rates
from talk.services.posting import post
from tests.access.cast import START, Cast, cast_at
from tests.access.expected import FAMILIES
from tests.access.routes import address
from tests.access.test_matrix import routes_of
from tests.architecture.files import ROOT

pytestmark = [pytest.mark.django_db]

TOO_FAST = 429  # whoever sends many in a moment is also told to wait; nothing is done then
OF_WHOEVER_SENDS = {"Session", "UserSession"}


class Sent(NamedTuple):
    """A request: by whom, to the match or season of which status, and what it says. `to`: where that is no address of
    a match or season alone; it may first do what the request needs."""

    role: str
    status: str = "open"
    says: Callable[[Cast], dict[str, Any]] = lambda cast: {}
    to: Callable[[Cast], str] | None = None

    def address(self, route: str, cast: Cast) -> str:
        return self.to(cast) if self.to else address(route, cast, self.status)


def _free_place(cast: Cast) -> str:
    return f"/join/{joining.invitation_of(joining.add_player(cast.matches['draft'], 'free'))}/"


def _free_place_in_a_season(cast: Cast) -> str:
    member = add_member(cast.seasons["draft"], cast.people["host"], "free")
    return f"/seasons/join/{season_invitations.invitation_of(member)}/"


def _in_public(cast: Cast, path: str) -> str:
    """An address of a match that waits for its start and that anyone can join."""
    match = cast.matches["draft"]
    joining.add_player(match, "free")
    Match.objects.filter(pk=match.pk).update(joining=Match.Joining.OPEN)
    publish(Match.objects.get(pk=match.pk), cast.people["host"], START + timedelta(days=1))
    return f"{path.format(match.public_id)}"


def _about_a_message(cast: Cast, act: str) -> str:
    match = cast.matches["open"]
    said = post(match, cast.people["player"], "public", "That was rude.")
    return f"{match.get_absolute_url()}talk/message/{said.token}/{act}/"


def _about_a_line(cast: Cast, act: str, room: str = "lounge") -> str:
    season = cast.seasons["open"]
    said = post(season, cast.people["player"], room, "That was rude.")
    return f"{season.get_absolute_url()}talk/message/{said.token}/{act}/"


def _times(cast: Cast) -> dict[str, Any]:
    since, until = (START + timedelta(days=days) for days in (1, 2))
    return {"since": since.isoformat(), "until": until.isoformat()}


def _away(cast: Cast) -> dict[str, Any]:
    return {"do": "away", **_times(cast), "key": "one"}


def _away_by_programs(cast: Cast) -> dict[str, Any]:
    return {name: said for name, said in _away(cast).items() if name != "key"}


_BID = {"type": "bid", "seat": "Z", "amount": 3}
_SAYS = {"text": "Is anybody here?", "key": "one"}
_HOOK = {"url": "https://example.org/hook", "form": "json"}
SENT: dict[str, Sent] = {  # each message is written by somebody else, since who has written many has to wait
    "results/": Sent("player", says=lambda cast: {"hide": "1"}),
    "profile/": Sent(
        "player",
        says=lambda cast: {"display_name": "Another", "time_zone": "UTC", "theme": "auto", "shape": "1", "colour": "2"},
    ),
    "profile/tokens/": Sent("player", says=lambda cast: {"name": "mine", "scope": "act", "days": "30", "key": "one"}),
    "profile/tokens/<int:pk>/revoke/": Sent("player"),
    "profile/notices/": Sent("player", says=lambda cast: {"part": "webhook", "label": "mine", **_HOOK}),
    "matches/<slug:public_id>/hosts/ask/": Sent("player", says=lambda cast: _SAYS),
    "matches/<slug:public_id>/talk/in/<slug:channel>/write/": Sent("player", says=lambda cast: _SAYS),
    "matches/<slug:public_id>/talk/new/": Sent("playing host", says=lambda cast: {"to": ["player"]}),
    "matches/<slug:public_id>/place/": Sent("player", says=_away),
    "matches/<slug:public_id>/leave/": Sent("player", "draft"),
    "matches/<slug:public_id>/webhooks/": Sent("host", says=lambda cast: {"kinds": ["match"], **_HOOK}),
    "seasons/<slug:public_id>/webhooks/": Sent("host", says=lambda cast: {"kinds": ["season"], **_HOOK}),
    "matches/<slug:public_id>/notices/": Sent("player"),
    "api/v1/matches/<slug:public_id>/questions/": Sent("player", says=lambda cast: {"text": "May I?"}),
    "api/v1/matches/<slug:public_id>/place/": Sent("player", says=_away_by_programs),
    "api/v1/matches/<slug:public_id>/talk/<slug:channel>/": Sent("playing boss", says=lambda cast: {"text": "Hello"}),
    "matches/<slug:public_id>/act/": Sent("player", says=lambda cast: {**_BID, "key": "one"}),
    "api/v1/matches/<slug:public_id>/actions/": Sent("player", says=lambda cast: _BID),
    "matches/<slug:public_id>/join/": Sent("stranger", to=lambda cast: _in_public(cast, "/matches/{}/join/")),
    "join/<str:code>/": Sent("stranger", to=_free_place),
    "seasons/join/<str:code>/": Sent("stranger", to=_free_place_in_a_season),
    "seasons/<slug:public_id>/talk/in/<slug:channel>/write/": Sent("player", says=lambda cast: _SAYS),
    "seasons/<slug:public_id>/talk/new/": Sent("playing host", says=lambda cast: {"to": ["player"]}),
    "api/v1/seasons/<slug:public_id>/talk/<slug:channel>/": Sent("player", says=lambda cast: {"text": "Hello"}),
    "seasons/<slug:public_id>/talk/quiet/": Sent(
        "host", says=lambda cast: {"kinds": ["lounge"], "hours": "2", "key": "one"}
    ),
    "seasons/<slug:public_id>/talk/message/<str:token>/report/": Sent(
        "playing host", says=lambda cast: {"reason": "rude"}, to=lambda cast: _about_a_line(cast, "report")
    ),
    "seasons/<slug:public_id>/talk/message/<str:token>/hide/": Sent(
        "host", says=lambda cast: {"reason": "rude"}, to=lambda cast: _about_a_line(cast, "hide")
    ),
    "matches/<slug:public_id>/talk/message/<str:token>/report/": Sent(
        "playing host", says=lambda cast: {"reason": "rude"}, to=lambda cast: _about_a_message(cast, "report")
    ),
    "matches/<slug:public_id>/talk/message/<str:token>/hide/": Sent(
        "host", says=lambda cast: {"reason": "rude"}, to=lambda cast: _about_a_message(cast, "hide")
    ),
}

ANOTHER_EACH_TIME = {
    "profile/calendar/new/": "a new secret address takes the place of the one before: the page shows the last",
    "profile/chat/code/": "the same with a code of ten minutes",
    "profile/notices/mail/try/": "each is a test that is sent, a few at most",
    "profile/notices/<str:token>/try/": "the same",
    "matches/<slug:public_id>/webhooks/<str:token>/<slug:act>/": "the same, and what else it does is a state",
    "seasons/<slug:public_id>/webhooks/<str:token>/<slug:act>/": "the same",
}

TESTED_THERE = {
    "tests/seasons/test_viewers.py": "seasons/<slug:public_id>/viewers/<slug:token>/<slug:act>/",
    "tests/talk/test_moderation.py": "matches/<slug:public_id>/talk/choices/",
    "tests/talk/test_speeches.py": "api/v1/matches/<slug:public_id>/talk/gift/",
    "tests/talk/test_season_rooms.py": "seasons/<slug:public_id>/talk/choices/",
    "tests/seasons/test_api.py": "api/v1/seasons/<slug:public_id>/opponent/ seasons/<slug:public_id>/opponent/",
    "tests/seasons/admin/test_gifts.py": ("seasons/<slug:public_id>/gift/ api/v1/seasons/<slug:public_id>/gift/"),
    "tests/accounts/test_pictures.py": "profile/picture/",
    "tests/seasons/test_predictions.py": "seasons/<slug:public_id>/predictions/",
    "tests/seasons/test_applications.py": "seasons/<slug:public_id>/apply/",
    "tests/chat_commands/test_signed.py": "chat/interactions/",
    "tests/notices/reminders/test_again.py": "matches/<slug:public_id>/again/ notices/again/<str:signed>/",
}
"""What has to be far into a match or a season, or signed by a chat server."""

A_STATE = """
    api/v1/seasons/<slug:public_id>/talk/ api/v1/seasons/<slug:public_id>/talk/<slug:channel>/seen/
    seasons/<slug:public_id>/talk/message/<str:token>/release/
    seasons/<slug:public_id>/talk/in/<slug:channel>/mute/ matches/<slug:public_id>/talk/in/<slug:channel>/mute/
    api/v1/matches/<slug:public_id>/talk/ api/v1/matches/<slug:public_id>/talk/<slug:channel>/seen/
    matches/<slug:public_id>/hosts/read/ matches/<slug:public_id>/notebook/ notices/here/ notices/push/off/
    notices/push/on/ notices/push/renew/ notices/read/ notices/sound/ matches/<slug:public_id>/ready/
    profile/calendar/revoke/ profile/leave/ profile/notices/<str:token>/remove/
    profile/notices/reminders/ results/show/ notices/unsubscribe/<str:signed>/ profile/chat/unlink/
"""
"""They set what is so from then on, or take something away: a second time it is so, or away, already."""

SENT_STATES: dict[str, Sent] = {
    "matches/<slug:public_id>/notebook/": Sent("player", says=lambda cast: {"text": "mine", "seen": ""}),
    "matches/<slug:public_id>/hosts/read/": Sent("player"),
    "notices/here/": Sent("player"),
    "seasons/<slug:public_id>/talk/message/<str:token>/release/": Sent(
        "player", says=lambda cast: {"publish": "1"}, to=lambda cast: _about_a_line(cast, "release", "confessional")
    ),
    "notices/sound/": Sent("player", says=lambda cast: {"sound": "on"}),
    "notices/read/": Sent("player", says=lambda cast: {"all": "1"}),
    "profile/calendar/revoke/": Sent("player"),
    "results/show/": Sent("player", says=lambda cast: {"id": cast.matches["finished"].public_id, "next": "/"}),
}
"""Some of these, each of which anybody can send who has just come here."""

NOTHING_STORED = """
    api/ api/v1/matches/<slug:public_id>/ask/ games/<slug:slug>/practice/preview/ matches/<slug:public_id>/preview/
    profile/chat/
"""

THEIR_OWN = "games/<slug:slug>/practice/"
"""A table of practice, which nobody else sees: moves in it are undone and made again."""


def taking() -> set[str]:
    """The addresses outside the console that take a POST from somebody. Those of signing in are
    allauth's."""
    rows = [row for family in FAMILIES for row in family.rows if row.post not in ("405", "301")]
    found = {route for row in rows for route in routes_of(row)}
    return {route for route in found if not route.startswith(("admin/", "^admin/", "accounts/"))}


def test_every_address_that_takes_something_is_here() -> None:
    named = [*SENT, *ANOTHER_EACH_TIME, *" ".join(TESTED_THERE.values()).split(), *A_STATE.split()]
    named += [*NOTHING_STORED.split(), THEIR_OWN]
    assert sorted(named) == sorted(set(named))
    assert all((ROOT / test).is_file() for test in TESTED_THERE)
    assert (taking() - set(named) - only_read(), set(named) - taking()) == (set(), set())


def only_read() -> set[str]:
    """Those whose POST is for whoever has to sign in first: there it leads to the page, and takes nothing."""
    rows = [row for family in FAMILIES for row in family.rows if isinstance(row.post, str)]
    led_away = [row for row in rows if "405" in row.post and set(row.post.split()) <= {"302", "404", "405"}]
    return {route for row in led_away for route in routes_of(row)}


def stored() -> dict[str, list[str]]:
    """Every row of every table."""
    models = [model for model in apps.get_models() if model.__name__ not in OF_WHOEVER_SENDS]
    return {model._meta.label: sorted(map(repr, model._default_manager.values_list())) for model in models}


def send(browser: Client, url: str, says: dict[str, Any]) -> Any:
    cache.clear()  # pages that others have seen, and how fast somebody was
    if url.startswith("/api/"):
        key = {"Idempotency-Key": "one"}
        return browser.post(url, json.dumps(says), content_type="application/json", headers=key)
    return browser.post(url, says)


@pytest.fixture
def cast() -> Iterator[Cast]:
    talk_rates.cache_clear()
    with cast_at(START) as made:
        yield made


@pytest.mark.parametrize(("route", "sent"), SENT.items())
def test_what_is_sent_again_and_again_is_done_once(cast: Cast, route: str, sent: Sent) -> None:
    browser, says, url = cast.browser(sent.role), sent.says(cast), sent.address(route, cast)
    before = stored()
    first, once = send(browser, url, says), stored()
    assert first.status_code in (200, 302), first.content
    assert once != before
    again = send(browser, url, says)
    assert again.status_code < 500
    assert [name for name, rows in stored().items() if rows != once[name]] == []
    if url.startswith("/api/"):
        assert again.status_code == TOO_FAST or again.content == first.content


@pytest.mark.parametrize(("route", "sent"), SENT_STATES.items())
def test_what_is_so_already_stays_as_it_is(cast: Cast, route: str, sent: Sent) -> None:
    assert route in A_STATE.split()
    browser, says, url = cast.browser(sent.role), sent.says(cast), sent.address(route, cast)
    assert send(browser, url, says).status_code in (200, 204, 302)
    once = stored()
    assert send(browser, url, says).status_code < 500
    assert [name for name, rows in stored().items() if rows != once[name]] == []
