"""The ready check before a fast match of few people: once all of them have said that they are ready, it begins.

It never delays anything: the start comes as announced, whoever is ready. Who has said so is read from the log, for the
start that was announced then and the person who had the place: so nothing has to be taken back when these change.
"""

import json
from datetime import timedelta

from matches.engine.draw import SEED_BYTES, Draw
from matches.engine.step import EVERYONE
from matches.models import Match, Submission
from matches.services import opening
from matches.services.actions import find_player
from matches.services.commands import need_status
from matches.services.errors import CommandRefused
from matches.services.locking import locked_match
from matches.services.storage.retry import retrying

AS_ANNOUNCED = "This match always begins at its announced time."

MOST_PLAYERS = 4
FAST = timedelta(hours=1)
"""A match whose first deadline comes sooner after its start."""

_ROW = '{"command":"ready",'


def ready(match: Match) -> list[str] | None:
    """The handles of those who are ready; None where nobody is asked: the match is not announced, is too large or too
    slow, or has an open place."""
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
    """When nobody acts; the seed is any, so that this tells nothing of the match's own."""
    try:
        game = match.rules
        step = game.open(game.read_config(match.config), opening.roster_of(match), Draw(bytes(SEED_BYTES)))
        due = game.next_deadline(step.state)
    except Exception:  # whatever a game's rules raise, publishing says what is wrong
        return False
    return due is not None and due < FAST


@retrying
def say_ready(match_id: int, user_id: int | None) -> None:
    """A player is ready; the last of them begins the match. Saying it again does nothing more. Raises `NotAPlayer`,
    and `CommandRefused` where nobody is asked."""
    with locked_match(match_id) as writer:
        match = writer.match
        player = find_player(match_id, user_id, match)
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
        if people <= {*found, player.handle}:
            writer.announce(row, EVERYONE, "everybody_ready")
            match.starts_at = writer.now
            opening.open_due(writer)
            writer.pass_due()
        writer.touch_all()
        writer.save()
