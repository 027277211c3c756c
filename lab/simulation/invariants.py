"""The invariants of a simulated site: cheap ones are checked after each step, all at the end."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from lab.simulation.database import need
from lab.simulation.prepared import OF_A_MATCH, OF_A_PERSON
from matches.engine.draw import Draw
from matches.games.registry import game_of
from matches.live import snapshots
from matches.live.snapshots import Key
from matches.models import Match, OutboxRow, Submission
from matches.services import verification
from matches.services.replay import played, verify
from notices.outbox import notices_of
from seasons.models import Season
from seasons.services.verification import verify as verify_season

if TYPE_CHECKING:
    from lab.simulation.people import Viewer
    from lab.simulation.world import World


def check_due(world: World) -> None:
    """Check that the stored deadline of each match is the one that its rules wait for."""
    with world.inside(world.worker):
        for match in Match.objects.filter(status=Match.Status.OPEN).order_by("pk"):
            if not match.state or match.fault:
                continue
            due = match.rules.next_deadline(match.rules.decode_state(match.state))
            expected = None if due is None else match.clock.instant(due)
            need(match.next_deadline_at == expected, "the next deadline is stored", (match.pk, due, expected))


def check_clocks(world: World) -> None:
    """Verify all matches of the world that have moved, and when their deadlines passed."""
    with world.inside(world.worker):
        for match in Match.objects.order_by("pk"):
            if match.log_count > world.began_with[match.pk]:
                need(not match.fault, "no match is at fault", match.fault)
                found = verify(match)
                need(not found, "verify finds nothing", " ".join(found))
                if match.state:
                    _check_deadlines(match)


_MOVING = ("pause", "extend", "close", "outage")
"""Commands that move deadlines."""


def _check_deadlines(match: Match) -> None:
    state: Any = None
    deadlines, last = set(), timedelta()
    commands = match.log.filter(kind=Submission.Kind.COMMAND)
    is_plain = not any(verb in payload for payload in commands.values_list("payload", flat=True) for verb in _MOVING)
    began, clocks = match.opened_at, verification.clocks(match)
    for row, step in played(match, Draw(bytes.fromhex(match.seed))):
        due = match.rules.next_deadline(state) if state is not None else None
        if row.kind == Submission.Kind.DEADLINE:
            need(row.match_time == due, "deadlines at their own time", (row.number, due))
            if is_plain and began is not None:
                need(row.received_at >= began + row.match_time, "no deadline early", (row.number, row.received_at))
            need((due, id(state)) not in deadlines, "no deadline twice", row.number)
            deadlines.add((due, id(state)))
        elif row.kind == Submission.Kind.ACTION and due is not None:
            then = clocks[bisect_right([number for number, _ in clocks], row.number) - 1][1].clock
            asked = max(then.time(row.received_at), state.core.time)
            need(row.match_time == asked, "an action's time is the database's", (row.number, row.match_time, asked))
            need(row.match_time < due, "no action after a deadline that was due", (row.number, row.match_time, due))
        if row.kind != Submission.Kind.COMMAND and row.accepted:
            need(row.match_time >= last, "time does not go back", (row.number, row.match_time, last))
            last = row.match_time
        state = state if step is None else step.state


def check_versions(world: World) -> None:
    """Check that a changed view has a new version, and that versions never go back."""
    for stage in world.cast.matches:
        ((text, version),) = world.seats.ask(
            "SELECT state, public_version FROM matches_match WHERE id = ?", stage.number
        )
        if not text:
            continue
        game = game_of(stage.game)
        state = game.decode_state(text)
        _note(world, ("public", stage.number), version, msgspec.json.encode(game.public_view(state)))
        rows = world.seats.ask("SELECT id, handle, version FROM matches_player WHERE match_id = ?", stage.number)
        for player, handle, own in rows:
            _note(world, ("private", player), own, msgspec.json.encode(game.private_view(state, handle)))


def _note(world: World, whose: tuple[str, int], version: int, view: bytes) -> None:
    known = world.seen.get(whose)
    if known is not None:
        need(version >= known[0], "versions never go back", (whose, known[0], version))
        need(version > known[0] or view == known[1], "a changed view has a new version", (whose, version))
    world.seen[whose] = (version, view)


def check_viewers(world: World) -> None:
    """Check that each open page shows what is stored."""
    for viewer in world.viewers.live:
        need(viewer.is_open and "version" in viewer.shown, "every page gets its board", viewer.number)
        fresh = _fresh(world, viewer)
        shown = {name: value for name, value in viewer.shown.items() if name != "now"}
        differing = [name for name in sorted({*fresh, *shown}) if fresh.get(name) != shown.get(name)]
        need(
            not differing,
            "every page shows what is stored",
            (viewer.number, differing, [(fresh.get(n), shown.get(n)) for n in differing]),
        )


def _fresh(world: World, viewer: Viewer) -> dict[str, Any]:
    keys = [Key("json")]
    if viewer.player is not None and viewer.person is not None:
        keys.append(Key("json", viewer.player, viewer.person.user))
    with world.inside(world.worker):
        look = snapshots.match_snapshots(viewer.stage.number, keys)
        need(look is not None, "the match is there", viewer.stage.number)
        fields: dict[str, Any] = {}
        for key in keys if look is not None else ():
            fields |= look.snapshots[key].fields() if look is not None else {}
        return dict(json.loads(msgspec.json.encode(fields)))


_TOLD = """
    SELECT DISTINCT s.id, s.match_id FROM matches_announcement a JOIN matches_submission s ON s.id = a.submission_id
    WHERE s.id > ?
"""


_DUE = """
    SELECT d.id, a.channel FROM notices_delivery d JOIN notices_address a ON a.id = d.address_id
    WHERE d.id > ? AND d.status = 'waiting' AND d.due_at <= ?
    AND COALESCE(a.rests_until, '') <= ? AND COALESCE(a.claimed_until, '') <= ?
"""
_SENT = """
    SELECT a.channel FROM notices_delivery d JOIN notices_address a ON a.id = d.address_id
    WHERE d.id > ? AND d.status = 'sent' AND NOT d.in_digest
"""


def check_post(world: World) -> None:
    """Check that all announcements of this run led to the right notices, mails, posts and reminders."""
    ask = world.seats.ask
    need(not ask("SELECT id FROM matches_outboxrow"), "the outbox is emptied")
    told = ask(_TOLD, world.began_at_row)
    with world.inside(world.worker):
        expected = notices_of([OutboxRow(match_id=match, submission_id=row) for row, match in told]) if told else []
    stored = Counter(ask("SELECT user_id, source FROM notices_notice"))
    for notice in expected:
        need(stored[notice.user_id, notice.source] == 1, "one notice a person", (notice.user_id, notice.source))
    now = f"{world.wall:%Y-%m-%d %H:%M:%S.%f}"
    waiting = ask(_DUE, world.began_at_delivery, now, now, now)
    need(not waiting, "what is due has been sent", waiting)
    _check_mail(world)
    _check_webhooks(world)
    _check_reminders(world)


def _check_mail(world: World) -> None:
    rows = world.seats.ask(
        "SELECT status FROM notices_delivery WHERE id > ? AND event_id = ''", world.began_at_delivery
    )
    states = Counter(status for (status,) in rows)
    need(states["failed"] == 0, "no delivery fails", states)
    twice = [letter for letter, count in world.mailed.items() if count > 1]
    need(not twice or world.failed_while_sending, "one mail a notice", twice)
    sent = Counter(channel for (channel,) in world.seats.ask(_SENT, world.began_at_delivery))
    need(sent["email"] <= sum(world.mailed.values()), "a mail that is sent has arrived", (sent, world.mailed))
    posts = world.receivers.taken.get(OF_A_PERSON, ())
    need(sent["webhook"] <= len(posts), "a post that is sent has arrived", (sent, posts))


def _check_webhooks(world: World) -> None:
    """Check that acknowledged posts are not repeated, and that each match's posts come in order."""
    twice = [post for post, count in world.receivers.acknowledged.items() if count > 1]
    need(not twice or world.failed_while_sending, "one post a notice", twice)
    posts = world.seats.ask(
        "SELECT event_id FROM notices_delivery WHERE status = 'sent' AND event_id <> '' ORDER BY id"
    )
    taken = list(world.receivers.taken.get(OF_A_MATCH, ()))
    sent = [event for (event,) in posts]
    need(sent == taken[: len(sent)], "posts come in their order", (sent, taken))


def _check_reminders(world: World) -> None:
    """Check that no reminder came after its deadline, and that none that is due waits."""
    late = world.seats.ask('SELECT id, at, "by" FROM notices_notice WHERE event = \'deadline_near\' AND "by" <= at')
    need(not late, "reminders come before the deadline", late)
    due = world.seats.ask(
        "SELECT id, due_at FROM notices_reminder WHERE due_at <= ?", f"{world.wall:%Y-%m-%d %H:%M:%S}"
    )
    need(not due, "every reminder that is due is looked at", due)


def check_seasons(world: World) -> None:
    """Verify the world's season, if it has one."""
    if world.cast.season is None:
        return
    with world.inside(world.worker):
        found = verify_season(Season.objects.get(pk=world.cast.season))
        need(not found, "verify finds nothing in the season", " ".join(found))


def after_step(world: World) -> None:
    """Check what must hold at any moment."""
    if world.moved():
        check_due(world)
        check_versions(world)


def at_end(world: World) -> None:
    """Check everything, once nothing is under way."""
    world.journal.check()
    check_clocks(world)
    check_viewers(world)
    check_post(world)
    check_seasons(world)
