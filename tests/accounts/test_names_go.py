"""After an account is deleted nobody reads its names any more, and every log still proves what happened."""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import ApiToken, User
from chat_commands import sentences
from chat_commands.models import ChatAccount
from matches.models import Match, clock
from matches.proof.check_export import OK, prove
from matches.queries.log import exported
from matches.queries.matches import Position
from matches.queries.places import sent_in
from matches.services import hosting
from matches.services.creation import duplicate
from matches.services.joining import invite
from matches.services.replay import verify
from notices import webhooks
from notices.calendars import make_address
from notices.models import Address, CalendarAddress, Delivery, MatchWebhook, Notice
from notices.outbox import pass_on
from talk.notices import tell_of_mentions
from talk.services.posting import post
from tests.secrecy.mailbox import everything_of
from tests.services.conftest import person
from tests.web.conftest import Table

PAGES = ("", "parts/", "history/", "news/", "recap/", "log/", "result/", "replay/", "talk/", "feed.atom")
API = ("", "feed/", "history/", "replay/", "notes/", "players/")
NAMES = ("hedda9", "Hedda Unlike", "ann.unlike", "Ann Unlike")
HOOK: dict[str, Any] = {
    "channel": "news",
    "target": "https://hook.example.org",
    "details": {"form": "json", "kinds": ["match", "rounds", "hosts", "news"], "hidden": False, "secret": ""},
}


@pytest.fixture
def table(db: None, present: clock.FixedTime) -> Table:
    """A match that hedda has hosted beside dora, and in which Ann has played and talked."""
    table = Table(present)
    dora, hedda = table.users["dora"], person("hedda9", display_name="Hedda Unlike", is_staff=True)
    table.users["hedda"] = hedda
    User.objects.filter(pk=table.users["ann"].pk).update(username="ann.unlike", display_name="Ann Unlike")
    table.match.players.filter(handle="ann").update(name="Ann Unlike")
    hosting.set_roles(table.match, dora, [dora, hedda])
    table.open()
    hosting.announce(table.match, hedda, "announcement", "Welcome.")
    post(table.match, User.objects.get(username="ann.unlike"), "public", "Good luck!")
    return table


def end(table: Table, host: User | None = None) -> None:
    hosting.cancel(table.match, host or table.users["hedda"], "Enough.")


def read_by(client: Client, match: Match) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        yield page, client.get(f"/matches/{match.public_id}/{page}").content.decode()
    for page in API:
        yield f"api {page}", client.get(f"/api/v1/matches/{match.public_id}/{page}").content.decode()


def where_named(match: Match, reader: User | None, names: tuple[str, ...] = NAMES) -> set[str]:
    client = Client()
    if reader is not None:
        client.force_login(reader)
    return {page for page, text in read_by(client, match) if any(name in text for name in names)}


def test_nobody_reads_the_names_of_a_host_and_a_player_who_have_left(table: Table) -> None:
    end(table)
    bob = table.users["bob"]
    assert {"", "history/", "log/", "talk/", "api feed/"} <= where_named(table.match, bob)
    for name in ("hedda9", "ann.unlike"):
        deletion.delete(User.objects.get(username=name))
    assert where_named(table.match, None) == set()
    assert where_named(table.match, bob) == set()
    assert where_named(table.match, User.objects.get(pk=table.users["dora"].pk)) == set()
    assert verify(table.match) == []


def test_who_has_left_their_place_before_is_in_no_replay_or_result_that_was_shown(table: Table) -> None:
    dora, finn = table.users["dora"], table._person("finn")
    table.bid("bob", "Z", 5)
    table.at(25).bid("ann", "Y", 2)
    hosting.substitute(table.match, dora, table.player("ann"), finn, "Ann is away.")
    table.at(24 * 9)
    pages = [table.url + page for page in ("result/", "replay/frames/?roll=0")]
    assert all("Ann Unlike" in Client().get(page).content.decode() for page in pages)
    for name in ("hedda9", "ann.unlike"):
        deletion.delete(User.objects.get(username=name))
    shown = "".join(Client().get(page).content.decode() for page in pages)
    assert not any(name in shown for name in NAMES)


def test_what_others_were_told_and_what_waits_for_a_channel_has_the_neutral_name(table: Table) -> None:
    ann, now = User.objects.get(username="ann.unlike"), timezone.now()
    hook = MatchWebhook.objects.create(match=table.match, **HOOK, created_at=now)
    end(table, table.users["dora"])
    told = "Ann Unlike was outbid by Ann Unlikely, whom ann.unlike knows."
    Notice.objects.create(user=table.users["bob"], match=table.match, source="1", event="news", text=told, at=now)
    post = webhooks.post_of(hook, table.match, "1", [{"kind": "outbid", "text": told}], now)
    post.save()
    deletion.delete(ann)
    post.refresh_from_db()
    shown = f"Former player {ann.pk} was outbid by Ann Unlikely, whom Former player {ann.pk} knows."
    assert (Notice.objects.get(source="1").text, post.items[0]["text"]) == (shown, shown)


def sent_to_others(leaver: User, match: Match) -> Iterator[tuple[str, str]]:
    """What goes to everybody else of this match by every other way: notices with the mails, pushes and posts that are
    made of them, posts that wait for channels, calendars, feeds, and what slash commands would answer."""
    for notice in Notice.objects.exclude(user=leaver):
        yield from ((f"notice {notice.event}", line) for line in everything_of(notice))
    for post_ in Delivery.objects.filter(address__matchwebhook__match=match):
        yield "post", str(post_.items)
    for address in CalendarAddress.objects.exclude(user=leaver):
        yield "calendar", Client().get(f"/calendar/{address.secret}.ics").content.decode()
    yield "feed of results", Client().get("/results.atom").content.decode()
    yield "invitations", str([each.made_by for each in sent_in(match)])
    yield "chat", sentences.board(Position(match))


@pytest.mark.parametrize("name", ["hedda9", "ann.unlike"])
def test_no_other_way_tells_the_name_of_somebody_who_has_left(table: Table, name: str) -> None:
    leaver, hedda, bob = User.objects.get(username=name), User.objects.get(username="hedda9"), table.users["bob"]
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    for channel in (Address.Channel.PUSH, Address.Channel.WEBHOOK):
        Address.objects.create(user=bob, channel=channel, target="https://x", created_at=clock.now())
    MatchWebhook.objects.create(match=table.match, **HOOK, created_at=clock.now(), created_by=hedda)
    make_address(bob)
    post(table.match, User.objects.get(username="ann.unlike"), "public", "@bob, are you there?")
    hosting.pause(table.match, hedda, "Lunch.")
    hosting.resume(table.match, hedda)
    guest = person("guest")
    invite(table.match, hedda, table.player("cat"), sent_to=guest)
    pass_on()
    tell_of_mentions()
    names = (leaver.username, str(leaver))
    assert {way for way, text in sent_to_others(leaver, table.match) if any(name in text for name in names)}
    deletion.delete(leaver)
    pass_on()
    told = [(way, text) for way, text in sent_to_others(leaver, table.match) if any(name in text for name in names)]
    assert told == []


def test_the_export_still_proves_the_match(table: Table) -> None:
    end(table)
    head = table.match.closed_head
    deletion.delete(User.objects.get(username="hedda9"))
    assert prove(exported(table.match), [head])[0] == OK


@pytest.mark.parametrize("is_over", [True, False])
def test_no_new_match_gets_the_name_of_a_player_who_has_left(table: Table, is_over: bool) -> None:
    ann, dora = User.objects.get(username="ann.unlike"), table.users["dora"]
    table.match.players.filter(user=ann).update(handle=ann.username)
    if is_over:
        end(table)
    deletion.delete(ann)
    places = duplicate(table.match, dora).players.values_list("handle", "name", "position")
    assert places.first() == ("player1", "", 0)


def test_a_host_who_leaves_a_running_match_hosts_it_no_more(table: Table) -> None:
    hedda = User.objects.get(username="hedda9")
    assert deletion.why_not(hedda) == []
    deletion.delete(hedda)
    match = table.match
    assert [host.pk for host in match.hosts.all()] == [table.users["dora"].pk]
    assert verify(match) == []


def test_every_way_to_reach_or_act_for_the_person_is_gone(table: Table) -> None:
    hedda = User.objects.get(username="hedda9")
    now = timezone.now()
    _, secret = ApiToken.issue(hedda, "bot")
    ChatAccount.objects.create(user=hedda, chat_id="17", linked_at=now)
    CalendarAddress.objects.create(user=hedda, digest="d" * 64)
    for channel, target in (
        ("email", ""),
        ("push", "https://push.example.org/1"),
        ("webhook", "https://x.example.org"),
    ):
        Address.objects.create(user=hedda, channel=channel, target=target, created_at=now)
    SocialAccount.objects.create(user=hedda, provider="discord", uid="17")
    hook = MatchWebhook.objects.create(match=table.match, **HOOK, created_at=now, created_by=hedda)
    deletion.delete(hedda)
    for model in (ApiToken, ChatAccount, CalendarAddress, Address, SocialAccount, UserSession):
        assert not model._default_manager.filter(user=hedda.pk).exists(), model
    asked = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"})
    assert asked.status_code == 401
    hook.refresh_from_db()  # it is the match's, and waits until another host has looked at it
    assert (hook.created_by, hook.stopped_at is None) == (None, False)


def test_the_administrators_history_keeps_what_was_done_and_not_the_name(db: None, client: Client) -> None:
    boss, ann = User.objects.create_superuser("boss"), person("ann.unlike", display_name="Ann Unlike")
    address = EmailAddress.objects.create(user=ann, email="ann@unlike.example.org")
    for row in (ann, address, EmailAddress.objects.create(user=boss, email="boss@example.org")):
        LogEntry.objects.log_actions(boss.pk, [row], CHANGE, "Looked at.", single_object=True)
    address.delete()
    EmailAddress.objects.create(user=ann, email="ann@unlike.example.org")
    deletion.delete(ann)
    name = f"Former player {ann.pk}"
    assert list(LogEntry.objects.order_by("pk").values_list("object_repr", "change_message")) == [
        (name, "Looked at."),
        (name, "Looked at."),
        ("boss@example.org", "Looked at."),
    ]
