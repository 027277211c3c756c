"""Hosts add, try, start again and remove webhooks."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from typing import Any

from django.db import transaction

from matches.models import clock
from notices.match_webhooks.desks import desk_of
from notices.match_webhooks.kinds import TEST
from notices.models import PublicPost, PublicWebhook
from notices.safe_addresses import AddressRefused, check_form

MOST_OF_ONE = 5
"""So many has a match, or whatever else has some."""

LONGEST_URL = 1000
_MOST_TESTS = 3


class NotDone(Exception):
    """It was not done. `field`: of the form, empty for all of it; the text is a sentence."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(message)
        self.field, self.code, self.message = field, code, message


def add(owner: Any, host: Any, url: str, form: str, kinds: Collection[str], *, hidden: bool = False) -> Any:
    """Add an address to a match, or to what else has webhooks. What happened before is not posted. Raises `NotDone`."""
    desk, address = desk_of(owner), url.strip()
    if len(address) > LONGEST_URL:
        raise NotDone("url", "url_length", f"Give an address of at most {LONGEST_URL} characters.")
    try:
        check_form(address)
    except AddressRefused as refused:
        raise NotDone("url", refused.code, refused.message) from None
    if form not in PublicWebhook.Form.values:
        raise NotDone("form", "form_unknown", "Choose who reads it.")
    chosen = [kind.key for kind in desk.kinds if kind.key in kinds]
    if not chosen:
        raise NotDone("kinds", "no_kinds", "Choose at least one kind of news.")
    with transaction.atomic():
        # Two at once must not exceed the limit.
        desk.owners._default_manager.select_for_update().get(pk=owner.pk)
        there = desk.of(owner)
        if there.count() >= MOST_OF_ONE:
            raise NotDone("", "too_many", f"There are at most {MOST_OF_ONE} webhooks. Remove one first.")
        if there.filter(url=address).exists():
            raise NotDone("url", "already_there", "This address is in the list already.")
        return desk.webhooks._default_manager.create(
            **{desk.webhooks.OWNER: owner},
            url=address,
            form=form,
            kinds=chosen,
            hidden=hidden,
            secret="whsec_" + base64.b64encode(secrets.token_bytes(24)).decode(),
            created_at=clock.now(),
            created_by=host,
        )


def remove(owner: Any, token: str) -> bool:
    """Remove an address with what waits for it; false if there is none."""
    return bool(desk_of(owner).of(owner).filter(token=token).delete()[0])


@transaction.atomic
def start_again(owner: Any, token: str, host: Any = None) -> bool:
    """Post to a stopped or resting address again, from now on; false if there is none. One that nobody has added any
    more counts as added by this host."""
    found = desk_of(owner).of(owner).filter(token=token)
    found.filter(created_by=None).update(created_by=host)
    return bool(found.update(stopped_at=None, rests_until=None, failures=0, failing_since=None))


@transaction.atomic
def send_test(owner: Any, token: str) -> bool:
    """Post a few words, after what waits already; false if there is none. Raises `NotDone`."""
    desk = desk_of(owner)
    webhook = desk.of(owner).select_for_update().filter(token=token).first()
    if webhook is None:
        return False
    if webhook.stopped_at is not None:
        raise NotDone("", "stopped", "This address is stopped. Start it again first.")
    waiting = webhook.posts.filter(status=PublicPost.Status.WAITING, event_id__startswith="test-")
    if waiting.count() >= _MOST_TESTS:
        raise NotDone("", "tests_waiting", "Some tests are still waiting. See first what becomes of them.")
    text = "This is a test: news will arrive here."
    desk.posts._default_manager.create(
        webhook=webhook,
        event_id=f"test-{secrets.token_urlsafe(9)}",
        items=[{"kind": TEST, "text": text}],
        at=clock.now(),
    )
    return True
