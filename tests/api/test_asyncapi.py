"""The description of the sockets: every socket is in it, and frames are what it says."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client

from accounts.models import User
from matches.api.asyncapi import document
from matches.live.routing import websocket_urlpatterns
from matches.live.snapshots import Key, encode_frame, encode_hint, match_snapshots, notice_snapshots
from matches.live.socket import _error
from matches.models import clock
from notices.models import Notice
from tests.fixtures.described import closed
from tests.fixtures.site import Site
from tests.fixtures.table import running


def as_described(message: str, text: str) -> dict[str, Any]:
    components = closed(document()["components"])
    whole = {**components["messages"][message]["payload"], "components": components}
    frame: dict[str, Any] = json.loads(text)
    wrong = next(jsonschema_rs.Draft202012Validator(whole).iter_errors(frame), None)
    assert wrong is None, wrong
    return frame


def test_every_socket_is_described_and_nothing_else() -> None:
    routes = {str(each.pattern) for each in websocket_urlpatterns} - {""}
    addresses = {channel["address"] for channel in document()["channels"].values()}
    assert addresses == {"/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes}


def test_it_holds_together(client: Client) -> None:
    found = client.get("/api/asyncapi.json").json()
    assert found["asyncapi"].startswith("3.")
    for place in set(re.findall(r'"\$ref":"(#/[^"]+)"', json.dumps(found, separators=(",", ":")))):
        value = found
        for word in place.removeprefix("#/").split("/"):
            value = value[word]


@pytest.mark.django_db
def test_frames_of_a_match_are_as_described() -> None:
    table = running(Site("", ""))[0]
    player = table.player(0)
    keys = [Key("json"), Key("json", player.pk, player.user_id)]
    look = match_snapshots(table.match.pk, keys)
    assert look is not None
    for key, names in zip(keys, [{"version", "public", "match"}, {"private_version", "private"}], strict=True):
        frame = as_described("Changed", encode_frame(look.snapshots[key].fields(), look.now))
        assert set(frame) == {*names, "now"}
        with pytest.raises(AssertionError):
            as_described("Changed", json.dumps(frame | {"more": 1}))


@pytest.mark.django_db
def test_frames_of_notices_hints_and_errors_are_as_described() -> None:
    ann = User.objects.create_user("ann", "ann@example.org", None)
    Notice.objects.create(user=ann, event="round_opened", title="Round 1", text="It has begun.", at=clock.now())
    look = notice_snapshots(ann.pk, [Key("json")])
    assert look is not None
    assert as_described("Told", encode_frame(look.snapshots[Key("json")].fields(), look.now))["unread"] == 1
    as_described("Hinted", encode_hint("talk", {"match": "x"}.items()))
    as_described("Hinted", encode_hint("desk", ()))
    beside = notice_snapshots(ann.pk, [Key("hints")])
    assert beside is not None
    as_described("Present", encode_frame(beside.snapshots[Key("hints")].fields(), beside.now))
    as_described("Refused", _error("bad_frame", "…").text)
    as_described("Pong", '{"type":"pong"}')
