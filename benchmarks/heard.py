"""How soon an outbid player hears of it by mail: `python -m benchmarks.heard [--rate 200]`.

Every player has a confirmed address and no page open, and a real SMTP server takes the mail. Every second bid outbids
somebody. The server's process does everything: bids, notices, and mail.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from typing import Any

from benchmarks.client import Table, percentile
from benchmarks.crowd import run as play
from benchmarks.games import auction_game
from benchmarks.inside import enter
from benchmarks.site import Site, embedded_server
from benchmarks.watched import Load

_MESSAGE = re.compile(rb"^Message-ID: <([\w-]+)\.", re.MULTILINE | re.IGNORECASE)


class Pairs(Table):
    """Bids of which every second one outbids the one before."""

    def bid(self) -> tuple[str, dict[str, Any]]:
        number, self._number = self._number, self._number + 1
        token = self._tokens[number % len(self._tokens)]
        return token, {"type": "bid", "seat": self.seats[number // 2 % len(self.seats)], "amount": number + 1}


class Mailbox:
    """A mail server that notes when each notice arrives, by its token, and how often."""

    def __init__(self) -> None:
        from aiosmtpd.controller import Controller

        from tests.fixtures.processes import free_port

        self.came: dict[str, list[float]] = {}
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        found = _MESSAGE.search(envelope.content)
        if found:
            self.came.setdefault(found[1].decode(), []).append(time.time())
        return "250 OK"

    def close(self) -> None:
        self._controller.stop()


def reach_everybody() -> None:
    """Every player has confirmed an address."""
    from allauth.account.models import EmailAddress

    from accounts.models import User

    EmailAddress.objects.all().delete()
    made = [
        EmailAddress(user=user, email=f"{user.pk}@example.org", verified=True, primary=True)
        for user in User.objects.all()
    ]
    EmailAddress.objects.bulk_create(made)


async def bid(site: Site, made: list[dict[str, Any]], rate: float, seconds: float) -> int:
    """Bid at that rate; how many were accepted."""
    tables: list[Table] = [Pairs(match, site.get(f"/api/v1/matches/{match['id']}/")) for match in made]
    load = Load(site, tables)
    await load.at_a_rate(rate, seconds)
    return len(load.placed)


def measure(mailbox: Mailbox, wait: float) -> dict[str, Any]:
    """From the bid's own instant until the mail has been taken, when all has come or the wait is over; and how much
    waited for its notices, and as notices for their mails, when the last bid was made."""
    from matches.models import OutboxRow
    from notices.models import Delivery, Notice

    waited = {"rows_behind": OutboxRow.objects.count(), "mails_behind": Delivery.objects.exclude(status="sent").count()}
    end, told = time.monotonic() + wait, dict[str, float]()
    while time.monotonic() < end:
        time.sleep(0.5)
        outbid = Notice.objects.filter(event="outbid").values_list("token", "at")
        told = {token: at.timestamp() for token, at in outbid}
        if told and told.keys() <= mailbox.came.keys():
            break
    if not told:
        raise SystemExit("nobody was outbid")
    lags = [mailbox.came[token][0] - at for token, at in told.items() if token in mailbox.came] or [0.0]
    return {
        **waited,
        "notices": len(told),
        "heard": sum(token in mailbox.came for token in told),
        "heard_twice": sum(len(times) > 1 for times in mailbox.came.values()),
        "heard_p50_s": round(percentile(lags, 0.5), 2),
        "heard_p99_s": round(percentile(lags, 0.99), 2),
        "heard_max_s": round(max(lags), 2),
        "within_5_s": round(sum(lag <= 5 for lag in lags) / len(told), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--rate", type=float, default=5, help="bids a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--wait", type=float, default=120, help="how long after the last bid mail may still come")
    options = parser.parse_args()
    mailbox = Mailbox()
    with embedded_server(EMAIL_URL=f"smtp://127.0.0.1:{mailbox.port}") as site:
        made = site.make_matches(auction_game().slug, options.matches, options.players)
        enter(site)
        reach_everybody()
        cpu, accepted = site.cpu_seconds(), play(bid(site, made, options.rate, options.seconds))
        found = measure(mailbox, options.wait)
        cpu = site.cpu_seconds() - cpu
    mailbox.close()
    load = round(os.getloadavg()[0], 1)
    print(
        json.dumps({"rate": options.rate, "accepted": accepted, **found, "server_cpu_s": round(cpu, 1), "load": load})
    )


if __name__ == "__main__":
    main()
