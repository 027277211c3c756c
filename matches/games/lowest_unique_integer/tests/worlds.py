"""Worlds that differ in one secret, and everything that somebody gets to see in one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client

from accounts.models import ApiToken
from matches.models import Match
from matches.models.clock import FixedTime
from matches.services.hosts_group import HOSTS
from tests.fixtures.chosen import one_in
from tests.fixtures.present import START
from tests.web.conftest import Table, browser

Story = Callable[[Table], object]
"""Something that happens at a table where nothing has begun."""

VIEWERS = ("visitor", "eve", "cat", "otto")
"""Nobody known; somebody with an account; another player; the host of another match."""

PAGES = (
    "/",
    "/matches/",
    "{url}",
    "{url}parts/",
    "/api/v1/matches/",
    "{api}",
    "{api}feed/",
    "{api}history/",
    "{api}log/",
)
ADMIN = (
    "/admin/",
    "/admin/matches/match/",
    "/admin/matches/match/{pk}/change/",
    "/admin/matches/match/{pk}/do/peek/",
    "/admin/matches/submission/",
    "/admin/matches/holding/",
    "/admin/matches/announcement/",
    "/admin/matches/bid/",
    "/admin/matches/ledgerentry/",
    "/admin/matches/match/?q=Night",
    "/admin/matches/match/?seed__startswith=a",
    "/admin/matches/holding/?player__match__state__contains=ann",
)
FIRST = ("{url}", "/api/v1/matches/", "{api}")
TRIES = (
    {"type": "bid", "seat": "Z", "amount": 5},
    {"type": "bid", "seat": "R", "amount": 16},
    {"type": "withdraw"},
    {"type": "name_candidate", "player": "ann"},
)

_VARYING = {"X-Request-ID", "Set-Cookie", "Expires"}


class Seen(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    cookies: list[str]
    text: str


def world(story: Story, present: FixedTime) -> dict[tuple[str, str], Seen]:
    """What each viewer gets at each address after the story; then none of it has ever happened."""
    with transaction.atomic():
        present.instant = START
        table = Table(present)
        # The same by chance in every world, so that whatever is made from them can be compared, too.
        _settle_chance(table, "twnmtch23456", seed="5" * 64)
        story(table)
        # Another match, so that a list has an order to tell something by.
        present.instant += timedelta(minutes=5)
        other = Table(present)
        _settle_chance(other, "thrmtch23456", seed="6" * 64, title="Day table")
        other.open()
        present.instant += timedelta(minutes=5)
        seen = {}
        for viewer in VIEWERS:
            client = _client_of(viewer, table, other)
            for name, answer in _answers(client, viewer, table):
                seen[viewer, name] = _seen(answer)
        transaction.set_rollback(True)
    return seen


def _settle_chance(table: Table, public_id: str, **fields: str) -> None:
    Match.objects.filter(pk=table.match_id).update(public_id=public_id, **fields)


def _client_of(viewer: str, table: Table, other: Table) -> Client:
    if viewer == "visitor":
        return browser()
    if viewer != "otto":
        return browser(table.users[viewer])
    otto = table._person("otto")
    otto.is_staff = True
    otto.save()
    otto.groups.add(Group.objects.get(name=HOSTS))
    other.match.hosts.add(otto)
    return browser(otto)


def _answers(client: Client, viewer: str, table: Table) -> Any:
    names = {"url": table.url, "api": f"/api/v1/matches/{table.match.public_id}/", "pk": table.match_id}
    for page in _pages_for(viewer):
        yield page, client.get(page.format(**names))
    for number, action in enumerate(TRIES):
        url = f"{names['api']}actions/?dry_run=1"
        yield f"try {number}", client.post(url, action, content_type="application/json")
    yield "preview", client.post(f"{names['url']}preview/", {"type": "bid", "seat": "Z", "amount": "5"})
    yield "a stranger's act", client.post(f"{names['url']}act/", {"type": "give_tokens"})


def _pages_for(viewer: str) -> list[str]:
    """Some are asked for by everybody. Of the others each viewer asks for half, in each run for the other half."""
    pages = PAGES + (ADMIN if viewer == "otto" else ())
    rest = [page for page in pages if page not in FIRST]
    return [*FIRST, *one_in(2, rest, VIEWERS.index(viewer))]


def _seen(answer: Any) -> Seen:
    text = _masked(answer.content.decode())
    # Where the text has a fingerprint, its ETag is made from that too.
    varying = _VARYING | {"ETag"} if '"fingerprint":{' in text else _VARYING
    headers = sorted((name, value) for name, value in answer.headers.items() if name not in varying)
    return Seen(answer.status_code, headers, sorted(answer.cookies), text)


def _masked(text: str) -> str:
    """Without what is random by itself, all of it as long as what it stands for."""
    text = re.sub(r'(csrfmiddlewaretoken" value="|"X-CSRFToken": ")[^"]+', r"\1TOKEN", text)
    text = re.sub(r'(name="server-now" content=")[^"]+', r"\1NOW", text)
    # A fingerprint is the hash of a row with a salt: it is another one in each world, whatever was done there.
    text = re.sub(r'(\): <code class=\\?"breaks\\?">|"fingerprint":\{"hash":")[0-9a-f]{64}', r"\1HASH", text)
    text = re.sub(r'(data-texts=")[^"]+', r"\1TEXTS", text)  # of texts that are compared themselves
    text = re.sub(r'((?:id="key-\w+"|name="key") value=")[^"]+', r"\1KEY", text)
    text = re.sub(r'((?:feed|private|notice)-|"token":")[\w-]{12}', r"\1TOKEN", text)
    return re.sub(r'(name="token" value="|value=\\"|value=")[\w-]{12}(?=\\?")', r"\1TOKEN", text)


def differences(one: dict[tuple[str, str], Seen], other: dict[tuple[str, str], Seen]) -> list[str]:
    """Which viewer sees on which page that the worlds differ, and how, in short."""
    assert one.keys() == other.keys()
    return [f"{viewer} at {page}: {_first_difference(one[viewer, page], other[viewer, page])}"
            for viewer, page in one if one[viewer, page] != other[viewer, page]]  # fmt: skip


def _first_difference(one: Seen, other: Seen) -> str:
    if one.text == other.text:
        facts = zip(
            [*one.headers, *one.cookies, one.status], [*other.headers, *other.cookies, other.status], strict=False
        )
        return f"{[each for each in facts if each[0] != each[1]]}"
    place = next((n for n, (a, b) in enumerate(zip(one.text, other.text, strict=False)) if a != b), 0)
    return f"…{one.text[max(place - 60, 0) : place + 60]!r}… and …{other.text[max(place - 60, 0) : place + 60]!r}…"


# -- what happens ----------------------------------------------------------------------------------


def begin(*, ann: dict[str, int] | None = None, then: Story = lambda table: None) -> Story:
    """The match opens, with other opening balances for ann if so said; then that."""

    def story(table: Table) -> None:
        if ann:
            table.match.players.filter(handle="ann").update(**ann)
        table.open()
        then(table)

    return story


def acts(name: str, kind: str, *, accepted: bool = True, **fields: Any) -> Story:
    def story(table: Table) -> None:
        assert table.act(name, kind, **fields).accepted is accepted

    return story


def all_of(*stories: Story) -> Story:
    def story(table: Table) -> None:
        for each in stories:
            each(table)

    return story


def to(hours: float) -> Story:
    return lambda table: table.at(hours)


def uses_a_token(table: Table) -> None:
    """ann's program looks at the match, and asks what a bid would do."""
    _, secret = ApiToken.issue(table.users["ann"], "a program")
    headers = {"Authorization": f"Bearer {secret}"}
    url = f"/api/v1/matches/{table.match.public_id}/"
    assert Client().get(url, headers=headers).status_code == 200
    dry = Client().post(
        f"{url}actions/?dry_run=1",
        {"type": "bid", "seat": "Z", "amount": 1},
        content_type="application/json",
        headers=headers,
    )
    assert dry.status_code == 200


def reads_notices(table: Table) -> None:
    assert browser(table.users["ann"]).post("/notices/read/", {"all": "1"}).status_code == 302
