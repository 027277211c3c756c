"""Excused absences, bots that play for players who are away, and the ready check before fast matches."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from django.db.models import Q

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.step import EVERYONE, HOSTS
from matches.infra.text import moment_in_words
from matches.models import Absence, Match, Player, Submission, clock
from matches.models.match import of_known_rules
from matches.services import opening
from matches.services.actions import find_player
from matches.services.commands import command, command_row, need_own, need_status
from matches.services.errors import Busy, CommandRefused, KeyConflict, retrying
from matches.services.locking import locked_match
from matches.services.places import CHANGED, switch_bot, where
from matches.services.refusal_quota import refuse_beyond_rows, told_lately
from matches.services.writer import Writer


@retrying
def choose(match: Match, host: Any, bots_stand_in: bool, *, key: str = "") -> None:
    """Choose whether bots may play for players who are away. Possible only before the match begins, so that the same
    holds for everybody all the time. Raises `CommandRefused`, `NotAHost`, and `AlreadyDone` for a repeated `key`."""
    with command(match, host, key=key) as writer:
        need_status(writer, *Match.BEFORE, otherwise="You can change this only before the match begins.")
        writer.match.bots_stand_in = bots_stand_in
        if not bots_stand_in:  # also none that was promised before
            Absence.objects.filter(match=writer.match, ended_at=None).update(bot=False)
        writer.record(command_row(writer, host, "leniency", key=key, bots_stand_in=bots_stand_in))
        writer.touch_all()


def done_before(writer: Writer, player: Player, key: str, *commands: str) -> Submission | None:
    """The row of the log with this key of a player, which must be one of these commands; None if there is none. Raises
    `KeyConflict` if the key was used for something else."""
    row = writer.known(player.user_id, key) if key else None
    if row is None:
        return None
    if row.kind != Submission.Kind.COMMAND or json.loads(row.payload).get("command") not in commands:
        raise KeyConflict
    return row


# -- absences ------------------------------------------------------------------------------------------------
# A player says, or a host notes, from when to when the player is away. Nobody reminds them meanwhile, and a bot plays
# for them if they want it and the match allows it.

LONGEST = timedelta(days=60)
LATEST = timedelta(days=366)
"""How far ahead an absence can begin at most; also keeps times far from the last date that Python can represent."""
LONGEST_REASON = 200

NO_BOTS = "In this match bots do not play for players who are away."
NOT_AWAY = "You are not away, and no bot plays for you."

_COMING_TOO = (Match.Status.SCHEDULED, *Match.RUNNING)
_AT_ONCE = 100

logger = structlog.get_logger(__name__)


@retrying
def say_away(
    match_id: int,
    user_id: int | None,
    since: datetime,
    until: datetime,
    reason: str = "",
    *,
    bot: bool = False,
    key: str = "",
) -> Absence:
    """Store when a player says they are away, in place of any earlier absence. A repeated `key` returns the first
    result. Raises `NotAPlayer`, `CommandRefused`, `KeyConflict`."""
    with locked_match(match_id) as writer:
        player = find_player(writer.match, user_id)
        if (row := done_before(writer, player, key, "absence")) is not None:
            if (known := Absence.objects.filter(submission=row, player=player).first()) is None:
                raise KeyConflict("This key was used for an absence in a place that you have left. Use a new key.")
            return known
        refuse_beyond_rows(writer.match, player.user_id or 0, writer.now)
        payload = _payload(writer, player, since, until, bot)
        entry = writer.record(_own_row(writer, player, payload, key))
        found = _store(writer, player, entry, since, until, reason, bot, "")
        told = {"since": moment_in_words(since), "until": moment_in_words(until)}
        if not told_lately(writer.match, "absence_noted", player.user_id or 0, writer.now):
            writer.announce(entry, HOSTS, "absence_noted", player=player.handle, **told)
        writer.save()
        return found


@retrying
def note_away(
    match: Match,
    host: Any,
    place: Player,
    since: datetime,
    until: datetime,
    reason: str = "",
    *,
    bot: bool = False,
    key: str = "",
) -> Absence:
    """Store that a player is away, as a host notes it; `place` is the player as the host has seen it. Raises
    `CommandRefused`, `NotAHost`, and `AlreadyDone` for a repeated `key`."""
    with command(match, host, key=key) as writer:
        need_own(match, place)
        player = Player.objects.get(pk=place.pk)
        if player.user_id != place.user_id:
            raise CommandRefused(CHANGED, field="place")
        if player.user_id is None:
            raise CommandRefused(f"No person plays as {player.handle}, so nobody can be away.", field="place")
        data = _payload(writer, player, since, until, bot)
        entry = writer.record(command_row(writer, host, data.pop("command"), key=key, **data))
        return _store(writer, player, entry, since, until, reason, bot, host.username)


@retrying
def come_back(match_id: int, user_id: int | None, *, key: str = "") -> None:
    """End a player's absences, and stop a bot that plays for them. A repeated `key` does nothing more. Raises
    `NotAPlayer`, `KeyConflict`, and `CommandRefused` if the player is not away and no bot plays for them."""
    with locked_match(match_id) as writer:
        player = find_player(writer.match, user_id)
        if done_before(writer, player, key, "person_plays", "back") is not None:
            return
        over = player.absences.filter(ended_at=None).update(ended_at=writer.now)
        if player.is_bot and writer.match.status in Match.RUNNING:
            _stop_bot(writer, player, _own_row(writer, player, _bot_payload(writer, player, "person_plays"), key))
        elif over:
            writer.record(_own_row(writer, player, {"command": "back", "player": player.handle}, key))
            writer.touch(players={player.pk})
        else:
            raise CommandRefused(NOT_AWAY, code="not_away")
        writer.save()


def check_times(since: datetime, until: datetime, now: datetime) -> None:
    """Raise `CommandRefused` for an absence that ends before it begins or has ended already, is too long, or begins too
    far ahead."""
    if until <= max(since, now):
        raise _bad_times("An absence has to end after its start and after now.", "until")
    if until - since > LONGEST:
        raise _bad_times(f"An absence can last at most {LONGEST.days} days.", "until")
    if since - now > LATEST:
        raise _bad_times(f"An absence must begin within the next {LATEST.days} days.", "since")


def away_now(*matches: Match) -> dict[int, Absence]:
    """The absences that hold in these matches at this moment, by the player's id."""
    now = clock.now()
    found = Absence.objects.filter(match__in=matches, ended_at=None, since__lte=now, until__gt=now)
    return {each.player_id: each for each in found}


def tend() -> int:
    """End absences that are over, and let bots begin or stop playing for absent players. Returns how many absences it
    looked at."""
    now = clock.now()
    # A match that is set aside, or whose rules are unknown, is left to its hosts.
    well = of_known_rules("match__") & Q(match__failures__lt=Match.MOST_FAILURES)
    going = Absence.objects.filter(well, ended_at=None, since__lte=now)
    wants_bot = Q(bot=True, bot_since=None, player__is_bot=False, match__status__in=Match.RUNNING)
    due = going.filter(Q(until__lte=now) | wants_bot)
    found = list(due.order_by("since").values_list("pk", "match_id")[:_AT_ONCE])
    for number, match_id in found:
        try:
            _tend(number, match_id)
        except Busy:
            continue  # the next call finds it again
        except Exception:  # one failure must not hold up the others
            logger.exception("absence_not_tended", match=match_id)
    return len(found)


def _tend(number: int, match_id: int) -> None:
    with locked_match(match_id, wait=False) as writer:
        found = Absence.objects.select_related("player").filter(pk=number, ended_at=None).first()
        if found is None:
            return
        player, runs = found.player, writer.match.status in Match.RUNNING
        if found.until <= writer.now or writer.match.is_over:
            found.ended_at = writer.now
            if runs and found.bot_since is not None and player.is_bot:
                _stop_bot(writer, player, writer.row(_bot_payload(writer, player, "person_plays")))
        elif runs and found.bot and found.bot_since is None and not player.is_bot:
            found.bot_since = writer.now
            _begin_bot(writer, player)
        found.save(update_fields=["ended_at", "bot_since"])
        writer.save()


def _begin_bot(writer: Writer, player: Player) -> None:
    data = _bot_payload(writer, player, "bot_plays")
    entry = writer.record(writer.row(data))
    switch_bot(writer, player, on=True)
    told = {"player": player.handle, "name": player.shown_name, "where": data["where"]}
    writer.announce(entry, EVERYONE, "bot_plays", reason="an excused absence", **told)


def _stop_bot(writer: Writer, player: Player, row: Submission) -> None:
    entry = writer.record(row)
    switch_bot(writer, player, on=False)
    told = {"player": player.handle, "name": player.shown_name, "where": where(writer)}
    writer.announce(entry, EVERYONE, "person_plays", **told)


def _bot_payload(writer: Writer, player: Player, name: str) -> dict[str, Any]:
    return {"command": name, "player": player.handle, "where": where(writer)}


def _payload(writer: Writer, player: Player, since: datetime, until: datetime, bot: bool) -> dict[str, Any]:
    """The payload of an absence's row in the log. It leaves out the reason, because the log becomes public."""
    need_status(writer, *_COMING_TOO, otherwise="You can note absences once a match is published, until it ends.")
    check_times(since, until, writer.now)
    if bot and not writer.match.bots_stand_in:
        raise CommandRefused(NO_BOTS, code="no_bots_stand_in", field="bot")
    times = {"since": since.astimezone(UTC).isoformat(), "until": until.astimezone(UTC).isoformat()}
    return {"command": "absence", "player": player.handle, "bot": bot, **times}


def _bad_times(message: str, field: str) -> CommandRefused:
    return CommandRefused(message, code="absence_times", field=field)


def _store(
    writer: Writer,
    player: Player,
    entry: Submission,
    since: datetime,
    until: datetime,
    reason: str,
    bot: bool,
    noted_by: str,
) -> Absence:
    earlier = player.absences.filter(ended_at=None)
    if player.is_bot and earlier.exclude(bot_since=None).exists():
        _stop_bot(writer, player, writer.row(_bot_payload(writer, player, "person_plays")))
    earlier.update(ended_at=writer.now)
    writer.touch(players={player.pk})
    return Absence.objects.create(
        match=writer.match,
        player=player,
        user_id=player.user_id or 0,
        submission=entry,
        since=since,
        until=until,
        reason=reason.strip()[:LONGEST_REASON],
        noted_by=noted_by,
        bot=bot,
    )


def _own_row(writer: Writer, player: Player, payload: dict[str, Any], key: str) -> Submission:
    return writer.row(payload, actor=f"player:{player.handle}", user_id=player.user_id, key=key)


# -- the ready check ---------------------------------------------------------------------------------------
# Before a fast match of few people: once all of them have said that they are ready, it begins, at the latest at the
# announced start. Who is ready is read from the log, whose rows name the person and the announced start, so nothing has
# to be undone when either changes.

AS_ANNOUNCED = "As things stand, this match begins at its announced time."

MOST_PLAYERS = 4
FAST = timedelta(hours=1)
"""A match is fast if its first deadline comes sooner than this after its start."""

_ROW = '{"command":"ready",'


def ready(match: Match) -> list[str] | None:
    """The handles of the players who are ready; None if there is no ready check, because the match is not announced,
    too large or too slow, or has an open place."""
    players = list(match.players.all())
    if match.status != Match.Status.SCHEDULED or match.starts_at is None or match.start_problem:
        return None
    if len(players) > MOST_PLAYERS or opening.open_count(match) or not _is_fast(match):
        return None
    rows = match.log.filter(kind=Submission.Kind.COMMAND, payload__startswith=_ROW).values_list("user_id", "payload")
    start = match.starts_at.isoformat()
    said = {user_id for user_id, payload in rows if json.loads(payload)["starts_at"] == start}
    return [player.handle for player in players if player.user_id in said and player.user_id is not None]


def _is_fast(match: Match) -> bool:
    """Whether the first deadline comes soon if nobody acts. It uses a fixed seed, so the match's own stays secret."""
    try:
        game = match.rules
        step = game.open(game.read_config(match.config), opening.roster_of(match), Draw(bytes(SEED_BYTES)))
        due = game.next_deadline(step.state)
    except Exception:  # the check at publication reports whatever the rules raise
        return False
    return due is not None and due < FAST


@retrying
def say_ready(match_id: int, user_id: int | None) -> None:
    """Note that a player is ready, and open the match if everybody is and nothing hinders it. Saying it again does
    nothing. Raises `NotAPlayer`, and `CommandRefused` if there is no ready check."""
    with locked_match(match_id) as writer:
        match = writer.match
        player = find_player(match, user_id)
        need_status(writer, Match.Status.SCHEDULED, otherwise="Players can say they are ready only before the start.")
        found = ready(match)
        if found is None or match.starts_at is None:
            raise CommandRefused(AS_ANNOUNCED, code="no_ready_check")
        if player.handle in found:
            return
        payload = {"command": "ready", "player": player.handle, "starts_at": match.starts_at.isoformat()}
        actor = f"player:{player.handle}"
        row = writer.record(writer.row(payload, time=timedelta(), actor=actor, user_id=player.user_id))
        people = {each.handle for each in match.players.all() if each.user_id is not None and not each.is_bot}
        # What cannot open now, as when somebody still plays elsewhere in the season, waits for its announced start.
        if people <= {*found, player.handle} and not opening.problems_now(match):
            writer.announce(row, EVERYONE, "everybody_ready")
            match.starts_at = writer.now
            opening.open_due(writer)
            if match.status == Match.Status.SCHEDULED:  # its group has just changed: keep the announced start
                raise CommandRefused(AS_ANNOUNCED, code="no_ready_check")
            writer.pass_due()
        writer.touch_all()
        writer.save()
