"""Who has left their place gets what any spectator gets, everywhere."""

import json
import re
from typing import Any

import pytest

from accounts.models import ApiToken, User
from matches.live.admission import admit_to_match
from matches.services import hosting
from matches.services.hosting import answer
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from notices.calendars import make_address
from notices.models import Notice
from notices.outbox import pass_on
from talk.services.posting import open_private, post
from tests.secrecy.masking import masked
from tests.secrecy.site import API, LISTS, PAGES
from tests.web.conftest import Table, browser

_MORE = ("place/", "notices/", "feed.atom", "picture.png", "talk/", "talk/in/public/", "talk/unread/", "talk/export/")


@pytest.mark.django_db
@pytest.mark.parametrize("is_over", [False, True])
def test_who_has_left_gets_what_a_spectator_gets(present: Any, is_over: bool) -> None:
    table = Table(present)
    zoe, finn = table._person("zoe"), table._person("finn")
    table.users |= {"zoe": zoe, "finn": finn}
    table.open()
    ann = table.users["ann"]
    question = ask_hosts(table.match_id, ann.pk, "Is 4 a number?").question
    answer(table.match, table.users["dora"], question.token, "Yes.")
    table.bid("ann", "Z", 3)
    channel = open_private(table.match, ann, ["bob"])
    post(table.match, ann, channel, "Let us share Z.")
    calendars = {name: make_address(table.users[name]) for name in ("ann", "zoe")}
    browser().look(f"/calendar/{calendars['ann'].secret}.ics")
    pass_on()
    key = {name: ApiToken.issue(table.users[name], "bot")[1] for name in ("ann", "zoe")}
    cookies = {name: browser(table.users[name]) for name in ("ann", "zoe", "finn")}
    assert cookies["ann"].get(f"{table.url}talk/in/{channel}/").status_code == 200
    for page in (table.url, f"{table.url}log/"):
        assert _seen(cookies["ann"], "ann", page, table) != _seen(cookies["zoe"], "zoe", page, table), "it can fail"
    assert "share Z" in cookies["ann"].get(f"{table.url}talk/export/").content.decode()

    hosting.substitute(table.match, table.users["dora"], table.player("ann"), finn, "Ann is away.")
    pass_on()
    if is_over:
        hosting.cancel(table.match, table.users["dora"], "Enough.")
    assert list(Notice.objects.filter(user=ann).values_list("event", flat=True)) == ["replaced"]
    assert "BEGIN:VEVENT" not in browser().look(f"/calendar/{calendars['ann'].secret}.ics")
    Notice.objects.filter(user=ann).delete()

    channels = (f"talk/in/{channel}/", f"talk/in/{channel}/latest/")
    pages = [each if each.startswith("/") else table.url + each for each in (*PAGES, *_MORE, *channels)]
    pages += [*LISTS, "/notices/"]
    pages += [
        f"/api/v1/matches/{table.match.public_id}/{each}" for each in (*API, "talk/", f"talk/{channel}/", "hosts/")
    ]
    for page in dict.fromkeys(pages):
        assert _seen(cookies["ann"], "ann", page, table) == _seen(cookies["zoe"], "zoe", page, table), page
    for page in [each for each in pages if each.startswith("/api/")]:
        by_token = [browser().get(page, headers={"Authorization": f"Bearer {key[name]}"}) for name in ("ann", "zoe")]
        assert by_token[0].status_code == by_token[1].status_code, page
        assert _plain(by_token[0], "ann", table) == _plain(by_token[1], "zoe", table), page
    bid = json.dumps({"type": "bid", "seat": "Z", "amount": 1})
    address = f"/api/v1/matches/{table.match.public_id}/actions/"
    for name in ("ann", "zoe"):
        sent = browser().post(
            address, bid, content_type="application/json", headers={"Authorization": f"Bearer {key[name]}"}
        )
        assert (sent.status_code, sent.json()["code"]) == (403, "not_a_player")
    assert _of_calendar(calendars["ann"]) == _of_calendar(calendars["zoe"])
    assert _sees_by_socket(ann, table) == _sees_by_socket(zoe, table)
    assert _sees_by_socket(finn, table) != _sees_by_socket(zoe, table)

    newcomer = cookies["finn"]
    assert newcomer.get(f"{table.url}talk/in/{channel}/").status_code == 404, "what ann wrote in private is not his"
    assert "Is 4 a number?" not in newcomer.get(f"{table.url}hosts/").content.decode()
    assert verify(table.match) == []


def _seen(client: Any, name: str, page: str, table: Table) -> tuple[int, str]:
    answered = client.get(page)
    return answered.status_code, _plain(answered, name, table)


def _plain(answered: Any, name: str, table: Table) -> str:
    """Without the viewer's own name in the head of each page, and what is random."""
    text = masked(answered.content.decode(errors="backslashreplace"), table.match.public_id)
    text = re.sub(r'"now": ?"[^"]+"|"token": ?"[^"]+"', "", text)
    return text.replace("zoe", "ann") if name == "zoe" else text


def _of_calendar(address: Any) -> str:
    text = browser().get(f"/calendar/{address.secret}.ics").content.decode()
    return re.sub(r"UID:\S+|DTSTAMP:\S+", "", text)


def _sees_by_socket(user: User, table: Table) -> tuple[Any, ...]:
    cookie = "; ".join(f"{name}={each.value}" for name, each in browser(user).cookies.items())
    admission = admit_to_match({b"cookie": cookie.encode()}, table.match.public_id, "json")
    return admission.keys, admission.is_insider
