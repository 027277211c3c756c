"""Everything that is sent to people because of a match: their notices, the deliveries, and each message whole, by every
channel, with and without details, as if they had chosen all of it."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from matches.models import clock
from notices import reminding
from notices.channels import email, push, webhook
from notices.channels.base import Outgoing
from notices.models import Address, Delivery, Notice
from notices.outbox import pass_on
from tests.secrecy.masking import masked

compared: Counter[str] = Counter()
"""How many deliveries to people in twin matches were looked at, and how many messages: each delivery is worded in every
way in which it can leave the site."""


class Mailbox:
    """The messages to some of the people of a table, gathered step by step. Make it before anything happens."""

    def __init__(self, table: Any, names: Collection[str]) -> None:
        self._table = table
        readers = [user for name, user in table.users.items() if name in names]
        self._seen: dict[int, list[str]] = {user.pk: [] for user in readers}
        self._last = 0
        for user in readers:
            EmailAddress.objects.get_or_create(user=user, email=user.email, verified=True, primary=True)
            for channel in (Address.Channel.PUSH, Address.Channel.WEBHOOK):
                Address.objects.create(user=user, channel=channel, target="https://x", created_at=clock.now())
        self.gather(-1)

    def gather(self, step: int) -> None:
        """What has been told since the last time."""
        pass_on()
        reminding.remind()
        reminding.tell_hosts()
        for notice in Notice.objects.filter(pk__gt=self._last, user__in=self._seen).order_by("pk"):
            self._seen[notice.user_id] += [f"{step} {line}" for line in everything_of(notice)]
            self._last = notice.pk

    def of(self, user: User | None) -> str:
        """All of one person's; empty for visitors."""
        lines = [] if user is None else self._seen[user.pk]
        compared.update(kind for line in lines if (kind := line.split(maxsplit=2)[1]) in ("delivery", "message"))
        return _plain("\n".join(lines), self._table)


def everything_of(notice: Notice) -> Iterator[str]:
    """A notice, its deliveries, and each message that can be made of them, whole: a line each."""
    fields = (notice.event, notice.title, notice.text, notice.url, notice.at, notice.by)
    yield " ".join(["notice", *map(str, fields)])
    deliveries = Delivery.objects.filter(notice=notice).select_related("notice__match", "address__user")
    for delivery in deliveries:
        yield f"delivery {delivery.address.channel} {delivery.status} {delivery.due_at} {delivery.in_digest}"
        plain = Outgoing.of([delivery])
        for shown in (plain, replace(plain, show_details=not plain.show_details)):
            for message in _messages(shown):
                yield f"message {message}"


def _messages(outgoing: Outgoing) -> Iterator[str]:
    """The whole of what leaves the site, before it is encrypted and signed."""
    item = outgoing.items[0]
    if outgoing.channel == Address.Channel.EMAIL:
        for each in (outgoing, replace(outgoing, is_digest=not outgoing.is_digest)):
            mail = email._mail(each, None)
            yield f"mail {sorted(mail.extra_headers.items())} {mail.subject} {mail.body} {mail.alternatives}"
    elif outgoing.channel == Address.Channel.PUSH:
        yield f"push {push.payload(item, outgoing)!r} {push._life(item)} {item.event}"
    else:
        for form in webhook.BODIES:
            yield f"{form} {json.dumps(webhook.BODIES[form](item, outgoing))}"


def _plain(text: str, table: Any) -> str:
    text = re.sub(r"/notices/unsubscribe/[^/]+/", "SIGNED", text)
    text = re.sub(
        r"Message-ID', '<[^>]+>|References', '<[^>]+>|\"id\": \"[\w-]{16}\"|\"tag\": \"[\w-]{16}\"", "ID", text
    )
    return masked(text, table.match.public_id)


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["compared"] = dict(compared)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist hands in what it has counted."""
    compared.update(getattr(node, "workeroutput", {}).get("compared", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if compared:
        terminalreporter.write_line(
            f"To people in twin matches: {compared['delivery']} deliveries in both, as {compared['message']} messages"
        )
