"""Public webhooks: addresses that hear of what everybody is told in a match, or in a season, which registers itself.

What happens at one moment is one post (`Delivery` without a notice). How posts go out, in their order, `deliveries`
says; what they look like, `channels/news`.
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
"""So many has a match, or whatever else has some."""

_MOST_TESTS = 3
NOT_SENT = "The webhook was stopped before this was sent."
HOST_IS_GONE = "The host who added it has deleted their account."


# -- of what they hear, and whose they are --------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of news."""

    key: str
    label: str


TEST = "test"
"""Not one to choose: it is posted by a button."""

KINDS = (
    Kind(events.MATCH, "The match begins, pauses, resumes or ends, or its start or a deadline moves"),
    Kind(events.ROUNDS, "Rounds open and close"),
    Kind(events.HOSTS, "Announcements by the hosts"),
    Kind(events.NEWS, "All other public news, such as each bid"),
)


def kind_of(rules: AnyGame, announcement: str) -> str:
    """Which kind of news an announcement to everybody is."""
    return events.POSTED_AS.get(rules.notice_event(announcement) or "", events.NEWS)


@dataclass(frozen=True, slots=True)
class OwnerType:
    """One sort of what has webhooks.

    `webhooks`: their model, with its field `owner`: whose news they post. `owners`: what that is. `kinds`: what can be
    chosen, in the order of the form. `hosts_of`: the ids of those who look after an owner's. `page_of`: where they do
    so. `board_of`: what a post of an owner says of what it is about, as everybody may know it now.
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
        """The webhooks of one owner, a queryset."""
        return self.webhooks.objects.filter(**{self.owner: owner})


def _hosts_of(match: Match) -> list[int]:
    return list(match.hosts.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


OWNER_TYPES = [OwnerType(MatchWebhook, "match", Match, KINDS, ("match", "rounds", "hosts"), _hosts_of, webhooks_page)]
"""Of matches, and of what other apps add in `AppConfig.ready`."""


def type_of(owner: Any) -> OwnerType:
    """What sort of owner this is."""
    return next(owner_type for owner_type in OWNER_TYPES if isinstance(owner, owner_type.owners))


def owner_of(address: Address) -> tuple[OwnerType, Any]:
    """Whose news a webhook posts. Reads the database."""
    for owner_type in OWNER_TYPES:
        if found := owner_type.webhooks.objects.filter(pk=address.pk).select_related(owner_type.owner).first():
            return owner_type, getattr(found, owner_type.owner)
    raise LookupError(f"a webhook of nobody: {address.token}")


# -- what is posted -------------------------------------------------------------------------------------


def on_outbox(rows: Sequence[OutboxRow]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks of their matches; gives what stores the posts."""
    listening: defaultdict[int, list[Address]] = defaultdict(list)
    for webhook in MatchWebhook.objects.filter(match__in={row.match_id for row in rows}, stopped_at=None):
        listening[webhook.match_id].append(webhook)
    return queue(rows, listening)


def queue(rows: Sequence[OutboxRow], listening: Mapping[int, Sequence[Address]]) -> Callable[[], None]:
    """Reads what these rows told everybody, for the webhooks that hear of their matches (by id); gives what stores the
    posts.

    A row is one post to a webhook: what happens at one moment, such as the close of a round, belongs together. All of
    it is what everybody can read in the match's feed.
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
    """`head`: of the log, if this closed something. Each post of a close has it, whatever else the webhook hears."""
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
            # A random name, as it is in the feed: a number would count what others were told in secret.
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
    """A new post, not yet stored. `head`: of the log, if this closed something. `kinds`: of which kinds its news is;
    at some of them a role is named."""
    if head:
        items = [*items, {"kind": "fingerprint", "text": in_words(head)}]
    if not set(webhook.details.get("names_at", ())).isdisjoint(kinds):
        items = [*items, {"kind": NAMED, "text": webhook.details["role"]}]
    # Due when it happened: clocks of processes differ, and an earlier post must not be due after a later one.
    return Delivery(address_id=webhook.pk, match=match, event_id=event_id, items=items, at=at, due_at=at)


def store(posts: Collection[Delivery]) -> None:
    """Store new posts, inside the caller's transaction. One that is there already is left as it is."""
    # An address that a host removes meanwhile must not keep the others' posts from being stored.
    found = Address.objects.filter(pk__in={post.address_id for post in posts})
    there = set(found.select_for_update().values_list("pk", flat=True)) if posts else set()
    Delivery.objects.bulk_create([post for post in posts if post.address_id in there], ignore_conflicts=True)


def message_of(post: Delivery) -> Message:
    """A post, ready to be sent. Reads the database."""
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
    """Add an address to a match, or to what else has webhooks. What happened before is not posted. `role`: the number
    of a role of Discord that is named at news of these kinds. Raises `Refused`."""
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
    """Remove an address with what waits for it; false if there is none."""
    return bool(type_of(owner).of(owner).filter(token=token).delete()[0])


@transaction.atomic
def start_again(owner: Any, token: str, host: Any) -> bool:
    """Post to a stopped or resting address again, from now on; false if there is none. One that nobody has added any
    more counts as added by this host."""
    found = type_of(owner).of(owner).filter(token=token)
    found.filter(created_by=None).update(created_by=host)
    return bool(found.update(stopped_at=None, rests_until=None, failures=0, failing_since=None))


@transaction.atomic
def send_test(owner: Any, token: str, host: Any) -> bool:
    """Post a few words, after what waits already; false if there is none. Raises `Refused`."""
    webhook = type_of(owner).of(owner).select_for_update(of=("self",)).filter(token=token).first()
    if webhook is None:
        return False
    if webhook.stopped_at is not None:
        raise Refused("stopped", "The site no longer posts to this address. Start it again first.")
    waiting = webhook.deliveries.filter(status=Delivery.Status.WAITING, event_id__startswith="test-")
    if waiting.count() >= _MOST_TESTS:
        raise Refused("tests_waiting", "Some tests are still waiting. Wait until they are done.")
    said, match = "This is a test: news will arrive here.", owner if isinstance(owner, Match) else None
    items = [{"kind": TEST, "text": said}]
    post_of(webhook, match, f"test-{secrets.token_urlsafe(9)}", items, clock.now()).save(force_insert=True)
    return True


# -- what becomes of those to which nothing can or should be posted any more ----------------------------


def stopped(address: Address, why: str) -> None:
    """Give up what waits for a webhook that was stopped, and tell the hosts, inside the caller's transaction. `why`: a
    sentence."""
    waiting = address.deliveries.filter(status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.FAILED, last_error=NOT_SENT)
    owner_type, owner = owner_of(address)
    try:
        named = f"the webhook at {host_of(address.target)}"  # whoever has the whole address can post there
    except AddressRefused:
        named = "a webhook"
    fields = {
        "source": f"webhook:{address.token}:{clock.now().timestamp():.6f}",
        "text": f"The site posts nothing to {named} until a host starts it again. {why}",
        "url": owner_type.page_of(owner),
    }
    store_notices(
        [Notice.of(events.WEBHOOK_STOPPED, owner, user_id=host, **fields) for host in owner_type.hosts_of(owner)]
    )


def leave(user: Any) -> None:
    """What becomes of the webhooks that somebody has added whose account is deleted.

    Where they lead may be that person's own. So they are stopped, and any other host may start them again, who then has
    added them; without another host they are deleted.
    """
    for address in Address.objects.filter(created_by=user, channel=Address.Channel.NEWS).order_by("pk"):
        with transaction.atomic():
            owner_type, owner = owner_of(address)
            if not set(owner_type.hosts_of(owner)) - {user.pk}:
                address.delete()
                continue
            found, now = Address.objects.filter(pk=address.pk), clock.now()
            # Who is just posting there finds its claim gone, and notes nothing.
            why = {"stopped_at": now, "last_error": HOST_IS_GONE, "last_error_at": now, "claimed_until": None}
            is_new = found.filter(stopped_at=None).update(**why)
            found.update(created_by=None)
            if is_new:
                stopped(address, HOST_IS_GONE)
