"""What browser tests need done beside the server: people, sign-ins and matches, on the server's own DATA_DIR.

A process of its own, which stays: it reads an order a line as JSON (`{"do": "person", …}`) and answers each with a
line. Everything goes through the services, so a match made here is one that a host and its players could have made.
"""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from tests.fixtures.any_game import DUEL, SLUG, SMALL

WAITED = "Time has gone by."
"""The reason of each deadline that is closed here because a test cannot wait for it."""


def person(name: str, staff: bool = False, display_name: str = "") -> dict[str, Any]:
    """Somebody who can sign in: the cookie of a session of theirs, and a token for the API."""
    from django.contrib.auth.models import Group
    from django.test import Client

    from accounts.models import ApiToken, User
    from matches.services.roles import HOSTS

    # No password: hashing one takes longer than everything else here.
    user = User.objects.create_user(name, f"{name}@example.org", None, display_name=display_name)
    if staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
        user.groups.add(Group.objects.get(name=HOSTS))
    client = Client()
    client.force_login(user)
    _, token = ApiToken.issue(user, "for a test")
    return {"name": name, "token": token, "cookies": {key: morsel.value for key, morsel in client.cookies.items()}}


def table(
    title: str,
    host: str,
    people: list[dict[str, Any]],
    config: dict[str, Any] | None = None,
    moves: list[tuple[str, str, dict[str, Any]]] | None = None,
    at: str | None = None,
    game: str = SLUG,
    **fields: Any,
) -> dict[str, Any]:
    """A match of that game. Each of `people`: handle, username (else nobody has it yet), garnets, priority.

    With `at` it began so long ago (match time) and `moves` (at, handle, action) have happened since, by the real
    rules; without, it is published and begins in a day, or when its host starts it.
    """
    from django.db import transaction

    from accounts.models import User
    from matches.engine.match_time import parse_duration
    from matches.models import Match, clock
    from matches.services.actions import submit_for
    from matches.services.creation import create_match
    from matches.services.deadlines import advance
    from matches.services.hosting import publish
    from matches.services.joining import add_player, invitation_of

    now, hosting = clock.now(), User.objects.get(username=host)
    begins = now + timedelta(days=1) if at is None else now - parse_duration(at)
    # At once: the server's sweep must not come upon a match in whose past things are still to happen.
    with transaction.atomic(), clock.fixed(min(now, begins - timedelta(minutes=1))) as present:
        if config is None:
            config = SMALL if game == SLUG else {}
        match = create_match(game, title, hosts=(hosting,), config=config, **fields)
        players = {}
        for place in people:
            username = place.pop("username", None)
            user = User.objects.get(username=username) if username else None
            players[place["handle"]] = add_player(match, user=user, **place)
        if at is None:
            publish(match, hosting, begins)
        else:
            present.instant = begins
            publish(match, hosting)
        for time, handle, action in moves or ():
            present.instant = begins + parse_duration(time)
            answer = submit_for(players[handle], action)
            if not answer.accepted:
                raise ValueError(f"{handle}'s {action} was refused: {answer.message}")
        present.instant = now
        advance(match.pk)
    match = Match.objects.get(pk=match.pk)
    invitations = {handle: f"/join/{invitation_of(each)}/" for handle, each in players.items() if each.user is None}
    return {"id": match.public_id, "pk": match.pk, "url": match.get_absolute_url(), "invitations": invitations}


def facts(pk: int) -> dict[str, Any]:
    """What is stored of a match that no page may show yet; and what its log, played again, does not agree with."""
    from matches.models import Match
    from matches.services.replay import verify

    match = Match.objects.get(pk=pk)
    return {"status": match.status, "seed": match.seed, "seed_hash": match.seed_hash, "wrong": verify(match)}


def untold() -> int:
    """How many rows of logs have not been made into notices yet."""
    from matches.models import OutboxRow

    return OutboxRow.objects.count()


def play_out(season: str) -> dict[str, Any]:
    """Let the time of the season's latest match go by, until it is over or waits for its hosts: its start comes, its
    bots act (in a duel both, the first better), and then comes each of its deadlines.

    What is stored of the season afterwards; `commands`: what hosts have done in the match, without the deadlines that
    were closed here instead of waiting for them; `garnets` that members have, and how many the ledger has given them.
    """
    from django.db.models import Sum

    from matches.models import Match, Player, clock
    from matches.services import bots
    from matches.services.deadlines import advance
    from matches.services.errors import CommandRefused
    from matches.services.hosting import close_deadline
    from seasons.engine.state import account
    from seasons.models import Season
    from seasons.services import running
    from seasons.services.verification import verify

    found = Season.objects.get(title=season)
    match = Match.objects.filter(in_season__season=found).latest("pk")
    now = clock.now()
    Match.objects.filter(pk=match.pk, status="scheduled").update(starts_at=now, next_deadline_at=now)
    advance(match.pk)
    for _ in range(500):
        match.refresh_from_db()
        if match.game == DUEL:
            _fight(match)
            match.refresh_from_db()
        if match.is_over or (match.status == "open" and match.next_deadline_at is None):
            break
        Player.objects.filter(match=match, is_bot=True).update(bot_acts_at=None)
        bots.move_due(match=match)
        with suppress(CommandRefused):  # the last bot has acted, here or at the server, and the match is over
            close_deadline(match, match.hosts.get(), WAITED)
    running.sweep()
    found.refresh_from_db()
    state = found.decoded()
    assert state is not None
    entries = found.ledger.filter(asset="garnet")
    got, gave = (
        entries.filter(**{f"{who}__isnull": False}).aggregate(sum=Sum("amount"))["sum"] or 0
        for who in ("receiver", "giver")
    )
    rows = match.log.filter(kind="command", user__isnull=False).order_by("number").values_list("payload", flat=True)
    given = [json.loads(payload) for payload in rows]
    return {
        "match": match.status,
        "season": found.status,
        "left": found.cast.filter(status="in").count(),
        "garnets": {each.handle: int(account(state.purses, each.handle)["garnet"]) for each in state.members},
        "in_the_ledger": got - gave,
        "head": found.log_head,
        "wrong": verify(found),
        "commands": [each["command"] for each in given if each.get("reason") != WAITED],
    }


def season(title: str, host: str, people: list[str]) -> dict[str, Any]:
    """A season of these people that has begun."""
    from accounts.models import User
    from seasons.services import drafts, running
    from seasons.services.cast import add_member

    hosting = User.objects.get(username=host)
    made = drafts.create_season(title, hosting)
    for name in people:
        add_member(made, hosting, name, user=User.objects.get(username=name), garnets=5)
    running.begin(made, hosting)
    return {"url": made.get_absolute_url()}


def _fight(match: Any) -> None:
    """Both of two place a number in each round, the first a higher one."""
    from matches.models import Player, clock
    from matches.services.actions import submit_for

    Player.objects.filter(match=match).update(bot_acts_at=clock.now() + timedelta(days=1))
    for _ in range(20):
        for player, points in zip(match.players.order_by("position"), (10, 1), strict=True):
            submit_for(player, {"type": "place", "points": points})


def play_on(pk: int) -> dict[str, Any]:
    """Let a match go on by one step: it begins, or its bots act and its next deadline comes."""
    from matches.models import Match, Player, clock
    from matches.services import bots
    from matches.services.deadlines import advance
    from matches.services.errors import CommandRefused
    from matches.services.hosting import close_deadline

    match = Match.objects.get(pk=pk)
    if match.status == Match.Status.SCHEDULED:
        now = clock.now()
        Match.objects.filter(pk=pk).update(starts_at=now, next_deadline_at=now)
        advance(pk)
    else:
        Player.objects.filter(match=match, is_bot=True).update(bot_acts_at=None)
        bots.move_due(match=match)
        with suppress(CommandRefused):  # the last bot has acted, here or at the server, and the match is over
            close_deadline(match, match.hosts.get(), WAITED)
    match.refresh_from_db()
    return {"version": match.public_version, "is_over": match.is_over}


ORDERS: dict[str, Callable[..., Any]] = {
    order.__name__: order for order in (person, table, season, facts, untold, play_out, play_on)
}


def main() -> None:
    import django
    from django.db import connection

    django.setup()
    for line in sys.stdin:
        order = json.loads(line)
        try:
            answer = {"ok": ORDERS[order.pop("do")](**order)}
        except Exception as error:  # whoever gave the order shall see it
            answer = {"failed": f"{type(error).__name__}: {error}"}
        connection.close()
        print(json.dumps(answer), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
