"""Pushes to browsers (Web Push): the message is encrypted for the browser, and the push service only passes it on."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from datetime import timedelta

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from matches.models import clock
from notices import events, vapid
from notices.channels.base import GaveUp, Item, Outgoing, TryAgain
from notices.channels.webhook import check
from notices.channels.wording import lines_of, one_line, when, when_seen_by_others
from notices.models import Address
from notices.safe_addresses import AddressRefused, NotReached
from notices.safe_http import post

LONGEST_LIFE = timedelta(days=1)
SHORTEST_LIFE = timedelta(minutes=1)

_MOST_BYTES = 3500  # of the payload: push services take 4096 bytes after encryption


def target_of(address: Address) -> str:
    """The subscription's endpoint."""
    return address.target


def send(outgoing: Outgoing) -> None:
    """Push each notice. Raises `TryAgain`, `GaveUp`."""
    for item in outgoing.items:
        body = _encrypted(payload(item, outgoing), outgoing.details)
        try:
            answer = post(outgoing.target, body, _headers(item, outgoing.target))
        except AddressRefused as error:
            raise GaveUp(error.message) from None
        except NotReached as error:
            raise TryAgain(error.message) from None
        check(answer, goes_for_good=True)


def _encrypted(text: bytes, keys: Mapping[str, str]) -> bytes:
    """The text for the browser that has sent these keys, by RFC 8291."""
    receiver, secret = (urlsafe_b64decode(keys[name] + "==") for name in ("p256dh", "auth"))
    sender = ec.generate_private_key(ec.SECP256R1())
    return bytes(http_ece.encrypt(text, private_key=sender, dh=receiver, auth_secret=secret))


def payload(item: Item, outgoing: Outgoing) -> bytes:
    """What the service worker gets. A lock screen shows it, so it has the text only if that may be shown there."""
    if outgoing.show_details:
        lines = [*lines_of(item.text), when(item, outgoing.zone)]
    else:
        lines = [when_seen_by_others(item, outgoing.zone)]
    shown = {"title": one_line(item.title), "body": "\n".join(lines), "url": item.path, "tag": item.id}
    made = json.dumps(shown).encode()
    while len(made) > _MOST_BYTES:
        shown["body"] = shown["body"][: len(shown["body"]) * 3 // 4].rstrip() + "…"
        made = json.dumps(shown).encode()
    return made


def _headers(item: Item, endpoint: str) -> dict[str, str]:
    event = events.EVENTS.get(item.event)
    is_urgent = event is None or event.urgent
    return {
        "Authorization": vapid.authorization(endpoint),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_life(item)),
        "Topic": _topic(item),
        "Urgency": "high" if is_urgent else "normal",
    }


def _life(item: Item) -> int:
    """For how many seconds the push service keeps it while the browser is away: until it is no longer of use."""
    left = LONGEST_LIFE if item.by is None else item.by - clock.now()
    return int(min(max(left, SHORTEST_LIFE), LONGEST_LIFE).total_seconds())


def _topic(item: Item) -> str:
    """The same notice pushed again takes the place of the first. Topics have 32 letters of base64url at most."""
    return item.id[:32]
