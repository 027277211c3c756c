"""Hosts add, try, start again and remove the webhooks of a match."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from typing import Any

from django.db import transaction

from matches.models import Match, clock
from notices.match_webhooks.kinds import KINDS, TEST
from notices.models import MatchPost, MatchWebhook
from notices.safe_addresses import AddressRefused, check_form

MOST_OF_A_MATCH = 5
LONGEST_URL = 1000
_MOST_TESTS = 3


class NotDone(Exception):
    """It was not done. `field`: of the form, empty for all of it; the text is a sentence."""

    def __init__(self, field: str, code: str, message: str) -> None:
        super().__init__(message)
        self.field, self.code, self.message = field, code, message


def add(match: Match, host: Any, url: str, form: str, kinds: Collection[str], *, hidden: bool = False) -> MatchWebhook:
    """Add an address. What happened before is not posted. Raises `NotDone`."""
    address = url.strip()
    if len(address) > LONGEST_URL:
        raise NotDone("url", "url_length", f"Give an address of at most {LONGEST_URL} characters.")
    try:
        check_form(address)
    except AddressRefused as refused:
        raise NotDone("url", refused.code, refused.message) from None
    if form not in MatchWebhook.Form.values:
        raise NotDone("form", "form_unknown", "Choose who reads it.")
    chosen = [kind.key for kind in KINDS if kind.key in kinds]
    if not chosen:
        raise NotDone("kinds", "no_kinds", "Choose at least one kind of news.")
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=match.pk)  # two at once must not exceed the limit
        there = MatchWebhook.objects.filter(match=match)
        if there.count() >= MOST_OF_A_MATCH:
            raise NotDone("", "too_many", f"A match has at most {MOST_OF_A_MATCH} webhooks. Remove one first.")
        if there.filter(url=address).exists():
            raise NotDone("url", "already_there", "This address is in the list already.")
        return MatchWebhook.objects.create(
            match=match,
            url=address,
            form=form,
            kinds=chosen,
            hidden=hidden,
            secret="whsec_" + base64.b64encode(secrets.token_bytes(24)).decode(),
            created_at=clock.now(),
            created_by=host,
        )


def remove(match: Match, token: str) -> bool:
    """Remove an address with what waits for it; false if there is none."""
    return MatchWebhook.objects.filter(match=match, token=token).delete()[0] > 0


@transaction.atomic
def start_again(match: Match, token: str, host: Any = None) -> bool:
    """Post to a stopped or resting address again, from now on; false if there is none. One that nobody has added any
    more counts as added by this host."""
    found = MatchWebhook.objects.filter(match=match, token=token)
    found.filter(created_by=None).update(created_by=host)
    return found.update(stopped_at=None, rests_until=None, failures=0, failing_since=None) > 0


@transaction.atomic
def send_test(match: Match, token: str) -> bool:
    """Post a few words behind what waits already; false if there is none. Raises `NotDone`."""
    webhook = MatchWebhook.objects.select_for_update().filter(match=match, token=token).first()
    if webhook is None:
        return False
    if webhook.stopped_at is not None:
        raise NotDone("", "stopped", "This address is stopped. Start it again first.")
    waiting = webhook.posts.filter(status=MatchPost.Status.WAITING, event_id__startswith="test-")
    if waiting.count() >= _MOST_TESTS:
        raise NotDone("", "tests_waiting", "Some tests are still waiting. See first what becomes of them.")
    text = "This is a test: news of the match will arrive here."
    MatchPost.objects.create(
        webhook=webhook,
        event_id=f"test-{secrets.token_urlsafe(9)}",
        items=[{"kind": TEST, "text": text}],
        at=clock.now(),
    )
    return True
