"""Public webhooks: addresses to which the site posts the public news of a match, or of a season (which registers
itself).

What happens at one moment is one post (a `Delivery` without a notice). `deliveries` sends posts in order;
`channels/news` words them.
"""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction

from matches.engine.game import AnyGame
from matches.engine.step import EVERYONE
from matches.models import Announcement, Match, OutboxRow, clock
from matches.queries.feed import feed_line, names_in
from matches.queries.log import heads_of, in_words
from notices import events
from notices.addresses import Refused, check, new_secret
from notices.channels.webhook import DISCORD, JSON, NAMED
from notices.models import Address, Delivery, MatchWebhook, Notice
from notices.outbox import store as store_notices
from notices.preferences import webhooks_page
from notices.safe_http import AddressRefused, host_of

if TYPE_CHECKING:
    from notices.channels.news import Board, Message

FORMS = {DISCORD: "Discord, or anything that accepts the same", JSON: "A program (JSON)"}

MOST_OF_ONE = 5
"""The most webhooks of one match or season."""

_MOST_TESTS = 3
NOT_SENT = "The webhook was stopped before this was sent."
HOST_IS_GONE = "The host who added it has deleted their account."


# -- kinds of news, and owners --------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of news."""

    key: str
    label: str


TEST = "test"
"""Not for choosing: a button posts it."""

KINDS = (
    Kind(events.MATCH, "The match begins, pauses, resumes or ends, or its start or a deadline moves"),
    Kind(events.ROUNDS, "Rounds open and close"),
    Kind(events.HOSTS, "Announcements by the hosts"),
    Kind(events.NEWS, "All other public news, such as each bid"),
)


def kind_of(rules: AnyGame, announcement: str) -> str:
    """Return the kind of news that a public announcement is."""
    return events.POSTED_AS.get(rules.notice_event(announcement) or "", events.NEWS)


@dataclass(frozen=True, slots=True)
class OwnerType:
    """A type of owner of webhooks.

    `webhooks`: the model of its webhooks, whose field named `owner` refers to the owner. `owners`: the owner's model.
    `kinds`: the kinds to choose from, in the order of the form. `hosts_of`: the user ids of an owner's hosts.
    `page_of`: the path of their page for webhooks. `board_of`: what a post shows of its owner, as everybody may know it
    now.
    """

    webhooks: type[Any]
    owner: str
    owners: type[Any]
    kinds: tuple[Kind, ...]
    by_default: tuple[str, ...]
    hosts_of: Callable[[Any], list[int]]
    page_of: Callable[[Any], str]
    board_of: Callable[[Any, Delivery], Board] | None = None

    def of(self, owner: Any) -> Any:
        """Return a queryset of one owner's webhooks."""
        return self.webhooks.objects.filter(**{self.owner: owner})


def _hosts_of(match: Match) -> list[int]:
    return list(match.hosts.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


OWNER_TYPES = [OwnerType(MatchWebhook, "match", Match, KINDS, ("match", "rounds", "hosts"), _hosts_of, webhooks_page)]
"""Matches, and what other apps add in `AppConfig.ready`."""


def type_of(owner: Any) -> OwnerType:
    """Return the type of an owner."""
    return next(owner_type for owner_type in OWNER_TYPES if isinstance(owner, owner_type.owners))


def owner_of(address: Address) -> tuple[OwnerType, Any]:
    """Return the owner of a webhook and its type. Reads the database."""
    for owner_type in OWNER_TYPES:
        if found := owner_type.webhooks.objects.filter(pk=address.pk).select_related(owner_type.owner).first():
            return owner_type, getattr(found, owner_type.owner)
    raise LookupError(f"a webhook of nobody: {address.token}")


# -- what is posted -------------------------------------------------------------------------------------


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Listen to the outbox: draft the posts of these rows for their matches' webhooks, and return what stores them."""
    listening: defaultdict[int, list[Address]] = defaultdict(list)
    for webhook in MatchWebhook.objects.filter(match__in={row.match_id for row in rows}, stopped_at=None):
        listening[webhook.match_id].append(webhook)
    return queue(rows, listening)


def queue(rows: Sequence[OutboxRow], listening: Mapping[int, Sequence[Address]]) -> Callable[[], None]:
    """Draft the posts of the rows' public announcements for these webhooks (by match id), and return what stores them.

    A row is one post to a webhook: what happens at one moment, such as the close of a round, belongs together. All of
    it can be read in the match's public feed.
    """
    concerned = [row for row in rows if listening.get(row.match_id)]
    if not concerned:
        return lambda: None
    told: defaultdict[int, list[Announcement]] = defaultdict(list)
    of_rows = [row.submission_id for row in concerned]
    for item in Announcement.objects.filter(submission__in=of_rows, audience=EVERYONE).order_by("pk"):
        told[item.submission_id].append(item)
    heads = heads_of(of_rows)
    matches = Match.objects.prefetch_related("players__user").in_bulk({row.match_id for row in concerned})
    posts: list[Delivery] = []
    for row in concerned:
        if items := told[row.submission_id]:
            head = heads.get(row.submission_id, "")
            posts += _posts(matches[row.match_id], listening[row.match_id], items, head)
    return lambda: store(posts)


def _posts(match: Match, webhooks: Sequence[Address], items: Sequence[Announcement], head: str) -> list[Delivery]:
    """Draft the posts of one row. `head`: the fingerprint of the log if the row closed something; it is in each post of
    that close, whatever kinds the webhook gets."""
    if not match.is_public:
        return []
    names = names_in(match)
    lines = [
        (kind_of(match.rules, item.kind), {"kind": item.kind, "text": feed_line(match, item, names).text})
        for item in items
    ]
    found = []
    for webhook in webhooks:
        kinds = {kind for kind, _ in lines} & set(webhook.details["kinds"])
        chosen = [line for kind, line in lines if kind in kinds]
        if chosen and items[0].at >= webhook.created_at:
            # The token as in the feed: a number would reveal how many secret announcements there were.
            found.append(post_of(webhook, match, items[0].token, chosen, items[0].at, head, kinds))
    return found


def post_of(
    webhook: Address,
    match: Match | None,
    event_id: str,
    items: list[dict[str, str]],
    at: datetime,
    head: str = "",
    kinds: Collection[str] = (),
) -> Delivery:
    """Return an unsaved post. `head`: the log's fingerprint if this closed something. `kinds`: the kinds of its news,
    some of which mention a role."""
    if head:
        items = [*items, {"kind": "fingerprint", "text": in_words(head)}]
    if not set(webhook.details.get("names_at", ())).isdisjoint(kinds):
        items = [*items, {"kind": NAMED, "text": webhook.details["role"]}]
    # Due at the time of the event: processes' clocks differ, and no post may be due after a later one.
    return Delivery(address_id=webhook.pk, match=match, event_id=event_id, items=items, at=at, due_at=at)


def store(posts: Collection[Delivery]) -> None:
    """Store new posts, inside the caller's transaction, skipping those that exist already."""
    # Leave out addresses that a host has removed meanwhile, which would otherwise fail the whole insert.
    found = Address.objects.filter(pk__in={post.address_id for post in posts})
    there = set(found.select_for_update().values_list("pk", flat=True)) if posts else set()
    Delivery.objects.bulk_create([post for post in posts if post.address_id in there], ignore_conflicts=True)


def message_of(post: Delivery) -> Message:
    """Return a post as a message to send. Reads the database."""
    from notices.channels import news  # slow to import

    owner_type, owner = owner_of(post.address)
    return news.message_of(
        post, owner_type.board_of(owner, post) if owner_type.board_of else news.Board.of_match(owner)
    )


# -- what hosts do with them ----------------------------------------------------------------------------


_NO_ROLE = "Only Discord has roles. Enter a role's ID, such as 123456789012345678, or leave this empty."
_ROLE = re.compile(r"(?:<@&)?(\d{5,20})>?", re.ASCII)


def add(
    owner: Any,
    host: Any,
    url: str,
    form: str,
    kinds: Collection[str],
    *,
    hidden: bool = False,
    role: str = "",
    names_at: Collection[str] = (),
) -> Any:
    """Add a webhook to a match or season. Earlier news is not posted. `role`: the id of a Discord role to mention at
    news of the kinds `names_at`. Raises `Refused`."""
    owner_type, target = type_of(owner), url.strip()
    check(target, "url")
    if form not in FORMS:
        raise Refused("form_unknown", "Choose who reads it.", "form")
    chosen = [kind.key for kind in owner_type.kinds if kind.key in kinds]
    if not chosen:
        raise Refused("no_kinds", "Choose at least one kind of news.", "kinds")
    found = _ROLE.fullmatch(role.strip())
    if role.strip() and (found is None or form != DISCORD):
        raise Refused("role_unknown", _NO_ROLE, "role")
    named = [key for key in chosen if key in names_at] if found else []
    if bool(found or names_at) != bool(named):
        raise Refused("never_named", "Choose a role, and the kinds of news that should mention it.", "names_at")
    with transaction.atomic():
        # Two at once must not exceed the limit.
        owner_type.owners.objects.select_for_update().get(pk=owner.pk)
        there = owner_type.of(owner)
        if there.count() >= MOST_OF_ONE:
            raise Refused("too_many", f"You can have only {MOST_OF_ONE} webhooks here. Remove one first.")
        if there.filter(target=target).exists():
            raise Refused("already_there", "This address is already in the list.", "url")
        return owner_type.webhooks.objects.create(
            **{owner_type.owner: owner},
            channel=Address.Channel.NEWS,
            target=target,
            details={
                "form": form,
                "kinds": chosen,
                "hidden": hidden,
                "secret": new_secret(),
                **({"role": found[1], "names_at": named} if found else {}),
            },
            created_at=clock.now(),
            created_by=host,
        )


def remove(owner: Any, token: str, host: Any) -> bool:
    """Remove a webhook and what waits for it; return whether it existed."""
    return bool(type_of(owner).of(owner).filter(token=token).delete()[0])


@transaction.atomic
def start_again(owner: Any, token: str, host: Any) -> bool:
    """Post to a stopped or resting webhook again from now on; return whether it exists. If whoever added it is gone,
    this host counts as having added it."""
    found = type_of(owner).of(owner).filter(token=token)
    found.filter(created_by=None).update(created_by=host)
    return bool(found.update(stopped_at=None, rests_until=None, failures=0, failing_since=None))


@transaction.atomic
def send_test(owner: Any, token: str, host: Any) -> bool:
    """Queue a test post behind what waits already; return whether the webhook exists. Raises `Refused`."""
    webhook = type_of(owner).of(owner).select_for_update(of=("self",)).filter(token=token).first()
    if webhook is None:
        return False
    if webhook.stopped_at is not None:
        raise Refused("stopped", "The site no longer posts to this address. Choose “Start again” first.")
    waiting = webhook.deliveries.filter(status=Delivery.Status.WAITING, event_id__startswith="test-")
    if waiting.count() >= _MOST_TESTS:
        raise Refused("tests_waiting", "Some tests are still waiting. Wait until they are done.")
    said, match = "This is a test: news will arrive here.", owner if isinstance(owner, Match) else None
    items = [{"kind": TEST, "text": said}]
    post_of(webhook, match, f"test-{secrets.token_urlsafe(9)}", items, clock.now()).save(force_insert=True)
    return True


# -- stopped webhooks, and those of deleted accounts ----------------------------------------------------


def stopped(address: Address, why: str) -> None:
    """In the caller's transaction, give up what waits for a stopped webhook, and notify the hosts (`why`: a
    sentence)."""
    waiting = address.deliveries.filter(status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.FAILED, last_error=NOT_SENT)
    owner_type, owner = owner_of(address)
    try:
        named = f"the webhook at {host_of(address.target)}"  # whoever has the whole address can post there
    except AddressRefused:
        named = "a webhook"
    fields = {
        "source": f"webhook:{address.token}:{clock.now().timestamp():.6f}",
        "text": f"The site will post nothing more to {named} until a host starts it again. {why}",
        "url": owner_type.page_of(owner),
    }
    store_notices(
        [Notice.of(events.WEBHOOK_STOPPED, owner, user_id=host, **fields) for host in owner_type.hosts_of(owner)]
    )


def leave(user: Any) -> None:
    """Stop the webhooks that a leaving person has added, since they may lead to that person's own server.

    Another host can start one again and then counts as having added it; if there is no other host it is deleted.
    """
    for address in Address.objects.filter(created_by=user, channel=Address.Channel.NEWS).order_by("pk"):
        with transaction.atomic():
            owner_type, owner = owner_of(address)
            if not set(owner_type.hosts_of(owner)) - {user.pk}:
                address.delete()
                continue
            found, now = Address.objects.filter(pk=address.pk), clock.now()
            # A process that is posting there loses its claim, and records nothing.
            why = {"stopped_at": now, "last_error": HOST_IS_GONE, "last_error_at": now, "claimed_until": None}
            is_new = found.filter(stopped_at=None).update(**why)
            found.update(created_by=None)
            if is_new:
                stopped(address, HOST_IS_GONE)
