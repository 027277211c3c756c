"""The channel for a person's own webhook: a channel of Discord or Slack, or a program of theirs.

Every post is signed by the Standard Webhooks scheme; its `webhook-id` is the same each time the same notice is sent, so
that receivers can drop a second copy.
"""

import base64
import hmac
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from matches.infra.text import for_discord
from matches.models import clock
from notices import safe_http
from notices.channels.base import GaveUp, Outgoing, TryAgain, lines_of, one_line, shown_lines
from notices.models import Notice
from notices.safe_http import AddressRefused, NotReached

JSON: Final = "json"
DISCORD: Final = "discord"
SLACK: Final = "slack"

NAMED = "role_named"
"""The kind of an item that contains the id of the Discord role to mention."""

_MOST_OF_DISCORD = 2000
_MOST_OF_SLACK = 4000
_LATER = {408, 423, 425, 429}


def send(outgoing: Outgoing) -> None:
    """Post each notice. Raises `TryAgain`, `GaveUp`."""
    form = str(outgoing.details.get("form", JSON))
    for item in outgoing.items:
        body = json.dumps(BODIES[form](item, outgoing), ensure_ascii=False).encode("utf-8", "replace")
        headers = signed(item.token, body, str(outgoing.details["secret"]))
        post(outgoing.target, body, headers, goes_for_good=form != JSON)


def post(url: str, body: bytes, headers: Mapping[str, str], *, goes_for_good: bool = False) -> None:
    """Post to an address that somebody typed in. `goes_for_good`: the receiver answers 404 only once the address no
    longer exists. Raises `TryAgain`, `GaveUp`."""
    try:
        answer = safe_http.post(url, body, headers)
    except AddressRefused as error:
        raise GaveUp(error.message) from None
    except NotReached as error:
        raise TryAgain(error.message) from None
    if answer.is_good:
        return
    status = answer.status
    if status == 410 or (status == 404 and goes_for_good):
        raise GaveUp(f"The receiver says that this address is gone (status {status}).", address_is_gone=True)
    if 300 <= status < 400:
        raise GaveUp(f"The receiver answered with status {status}; redirects are not followed.")
    if status in _LATER or status >= 500 or status == 404:
        after = timedelta(seconds=answer.retry_after or 0)
        raise TryAgain(f"The receiver answered with status {status}.", after)
    raise GaveUp(f"The receiver refused this with status {status}.")


def signed(id: str, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers of a post signed by the Standard Webhooks scheme."""
    at = int(clock.now().timestamp())
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = hmac.digest(key, f"{id}.{at}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def _for_programs(item: Notice, outgoing: Outgoing) -> dict[str, Any]:
    return {
        "type": f"notice.{item.event}",
        "timestamp": item.at.isoformat(),
        "data": {
            "id": item.token,
            "event": item.event,
            "title": one_line(item.title),
            "text": "\n".join(lines_of(item.text)),
            "url": item.full_url,
            "match": {"id": item.match_code, "title": one_line(item.match_title), "game": item.game_title}
            if item.match_code
            else None,
            "at": item.at.isoformat(),
            "by": None if item.by is None else item.by.isoformat(),
        },
    }


def _for_discord(item: Notice, outgoing: Outgoing) -> dict[str, Any]:
    head, link = f"**{for_discord(one_line(item.title))}**", f"<{item.full_url}>"
    text = "\n".join(map(for_discord, shown_lines(item, outgoing)))
    room = _MOST_OF_DISCORD - len(head) - len(link) - 2
    text = text if len(text) <= room else text[: room - 1].rstrip("\\") + "…"
    # allowed_mentions: "@everyone" in a match's title calls nobody.
    return {"content": "\n".join(filter(None, [head, text, link])), "allowed_mentions": {"parse": []}}


def _for_slack(item: Notice, outgoing: Outgoing) -> dict[str, Any]:
    def plain(line: str) -> str:
        return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    lines = [one_line(item.title), *shown_lines(item, outgoing)]
    text = "\n".join(map(plain, lines))[:_MOST_OF_SLACK]
    # Without "mrkdwn" nothing in it is a format, and "<!channel>" has been made harmless above.
    return {"text": f"{text}\n{plain(item.full_url)}", "mrkdwn": False, "link_names": False, "unfurl_links": False}


BODIES: dict[str, Callable[[Notice, Outgoing], dict[str, Any]]] = {
    JSON: _for_programs,
    DISCORD: _for_discord,
    SLACK: _for_slack,
}
