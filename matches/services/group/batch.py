"""One transaction of the group writer: several actions in several matches, each of which may fail without the others.

Actions that do more than move the play (a start that is due, a pause that ends, rules that fail, too many refusals) are
judged one by one after the transaction.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import structlog
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import ApiToken, User
from matches.infra import metrics
from matches.infra.db_waits import is_busy
from matches.models import Match, Player, Submission, clock
from matches.services import actions
from matches.services.actions import Answer
from matches.services.errors import Busy, MatchFault, Refused, RuleFailure
from matches.services.group.writer import Alone, GroupedWriter, Memory, store
from matches.services.opening import start_has_come
from matches.services.storage import many
from matches.services.writer import Writer


class Pass(NamedTuple):
    """A personal API token, which is read in the group's transaction, so that one just revoked no longer counts.

    `admit` gets the token with that digest if its person's account is active, else None; it returns the id of the user
    who acts, or raises. It runs in the writer's thread, before anything is judged, and must be quick.
    """

    digest: str
    admit: Callable[[ApiToken | None], int]


class Ask(NamedTuple):
    """An action to judge: `match` is an id or public id, `who` a user's id or a token, `raw` decoded JSON, `key` the
    idempotency key, `meant_for` the part of play to which it belongs (empty: whichever it is)."""

    match: int | str
    who: int | Pass | None
    raw: object
    key: str = ""
    meant_for: str = ""


class Locked(Exception):
    """Somebody else has the match locked; nothing of the action was stored."""


Outcome = Answer | Exception
"""An exception answers this one action: `Locked`, `Refused`, `Match.DoesNotExist`, or whatever `admit` raised."""


logger = structlog.get_logger(__name__)

# For this transaction: wait only briefly for locks, and never scan a whole table because of a query plan made when the
# table was small.
_SETTINGS = "set_config('lock_timeout', '250ms', true), set_config('enable_seqscan', 'off', true)"
_LOCK = " ORDER BY t.id FOR UPDATE OF t SKIP LOCKED"
_MOST_IDS = 10_000
_IS_ACTIVE = f"(SELECT person.is_active FROM {User._meta.db_table} person WHERE person.id = t.user_id)"  # noqa: S608


def together(asks: Sequence[Ask], memory: Memory) -> list[Outcome]:
    """Judge these actions, and return their outcomes in the same order. Accepted ones are committed by then."""
    with metrics.COMMITS_TOGETHER.time():
        outcomes = _together(asks, memory)
    for outcome in outcomes:
        if isinstance(outcome, Answer):
            metrics.judged(outcome.accepted, way="together")
    return [outcome or alone(ask, wait=False) for ask, outcome in zip(asks, outcomes, strict=True)]


def alone(ask: Ask, *, wait: bool = True) -> Outcome:
    """Judge one action in its own transaction. `wait`: wait while somebody else has the match locked."""
    try:
        match_id = ask.match
        if isinstance(match_id, str):
            match_id = Match.objects.values_list("pk", flat=True).get(public_id=match_id)
        return actions.submit_alone(
            match_id, partial(_who_acts, ask), ask.raw, ask.key, meant_for=ask.meant_for, wait=wait
        )
    except Busy as busy:
        return busy if wait else Locked()
    except Exception as error:
        return error


def _who_acts(ask: Ask, writer: Writer) -> Player:
    who = ask.who
    if isinstance(who, Pass):
        with_it = ApiToken.objects.filter(digest=who.digest, user__is_active=True)
        who = who.admit(with_it.first())
    player = actions.find_player(writer.match, who)
    actions.refuse_while_a_bot_plays(writer, player, ask.key)
    return player


def _together(asks: Sequence[Ask], memory: Memory) -> list[Outcome | None]:
    """The same in one transaction, with None for each action that must be judged alone."""
    batch = _Batch(asks, memory)
    try:
        with transaction.atomic():
            batch.judge()
            batch.store()
    except Exception as error:
        if batch.is_stored and not isinstance(error, IntegrityError):
            # The commit failed, perhaps after it was stored; trying again might act twice.
            logger.error("group_commit_failed", error=repr(error), actions=len(asks))
            return [error] * len(asks)
        if is_busy(error):  # somebody keeps a lock that they need
            return [Locked()] * len(asks)
        # One action made all of them fail; judged alone, only that one fails again.
        logger.warning("group_failed", error=repr(error), actions=len(asks))
        return [None] * len(asks)
    batch.remember()
    return batch.outcomes


class _Batch:
    def __init__(self, asks: Sequence[Ask], memory: Memory) -> None:
        self._asks, self._memory = asks, memory
        self.outcomes: list[Outcome | None] = [None] * len(asks)
        self._writers: dict[int, GroupedWriter] = {}
        self._stored: list[GroupedWriter] = []
        self.is_stored = False

    # -- judging ---------------------------------------------------------------------------------

    def judge(self) -> None:
        """Judge each action, after reading what all of them need together."""
        by_match = self._by_match()
        matches, now = self._lock(by_match)
        users = self._users()
        missing = by_match.keys() - matches.keys()
        locked = (
            set(Match.objects.filter(pk__in=[pk for pk in missing if pk]).values_list("pk", flat=True))
            if missing
            else set()
        )
        for match_id in missing:
            for place in by_match.pop(match_id):
                if place in users:  # a bad token already has its answer, which must not tell whether the match exists
                    self.outcomes[place] = Locked() if match_id in locked else Match.DoesNotExist("no such match")
        acting = {
            match_id: [(place, users[place]) for place in by_match[match_id] if place in users] for match_id in matches
        }
        players = self._players({(match_id, user) for match_id, some in acting.items() for _, user in some})
        keys = self._keys(
            (player, self._asks[place].key)
            for match_id, some in acting.items()
            for place, user in some
            if self._asks[place].key and (player := players[match_id].get(user))
        )
        positions = self._memory.positions(list(matches.values()))
        for match_id, match in matches.items():
            if not start_has_come(match, now):  # otherwise its actions are judged alone
                writer = GroupedWriter(match, now, positions[match_id], players[match_id].values(), keys[match_id])
                self._writers[match_id] = writer
                self._judge_match(writer, [(place, players[match_id].get(user)) for place, user in acting[match_id]])

    def _judge_match(self, writer: GroupedWriter, asks: list[tuple[int, Player | None]]) -> None:
        try:
            for place, player in asks:
                self.outcomes[place] = self._judge_one(writer, self._asks[place], player)
            writer.conclude()
        except Exception as error:
            # An action was recorded in part, or the state cannot be stored: store nothing of this match.
            if not isinstance(error, RuleFailure | Refused):
                raise
            del self._writers[writer.match.pk]
            for place, _ in asks:
                self.outcomes[place] = None

    def _judge_one(self, writer: GroupedWriter, ask: Ask, player: Player | None) -> Outcome | None:
        mark = writer.mark
        try:
            payload = actions.read(ask.raw, ask.key)
            if player is not None:
                actions.refuse_while_a_bot_plays(writer, player, ask.key)
                return actions.act(writer, player, ask.raw, payload, ask.key, meant_for=ask.meant_for)
            # Except on SQLite, the player's row may just be locked by somebody else, so judge alone.
            return actions.not_a_player(writer.match) if connection.vendor == "sqlite" else None
        except Alone:
            if writer.mark != mark:  # recorded in part
                raise RuleFailure("an action ends the match") from None
            return None
        except Refused as refused:
            # Judged alone, so that the fault is noted.
            return None if isinstance(refused, MatchFault) else refused
        except RuleFailure:
            if writer.mark != mark:
                raise
            return None

    # -- reading ---------------------------------------------------------------------------------

    def _by_match(self) -> dict[int | None, list[int]]:
        """Id of the match -> indexes of its asks; None for matches that do not exist."""
        ids = self._memory.ids
        unknown = {ask.match for ask in self._asks if isinstance(ask.match, str) and ask.match not in ids}
        if unknown:
            if len(ids) > _MOST_IDS:
                ids.clear()
            ids.update(many.find(Match, "t.public_id, t.id", ("public_id",), [(each,) for each in unknown]))
        found = defaultdict(list)
        for place, ask in enumerate(self._asks):
            found[ids.get(ask.match) if isinstance(ask.match, str) else ask.match].append(place)
        return found

    def _lock(self, by_match: dict[int | None, list[int]]) -> tuple[dict[int, Match], datetime]:
        """Lock the matches in the order of their ids, except those that somebody else has locked. Returns them by id,
        and the time after the last was locked."""
        memory = self._memory.matches
        ids = sorted(match_id for match_id in by_match if match_id is not None)
        wanted = memory.wanted
        if connection.vendor == "postgresql":
            wanted = f"{wanted}, {_SETTINGS}"
        rows = many.find(Match, wanted, ("id",), [(match_id,) for match_id in ids], lock=_LOCK)
        return {row[0]: memory.made(row[: len(memory.names)]) for row in rows}, clock.ask()

    def _users(self) -> dict[int, int | None]:
        """Index of the ask -> the id of the user who acts. Asks with a bad token get their outcome here."""
        asks = [(place, ask.who) for place, ask in enumerate(self._asks) if self.outcomes[place] is None]
        digests = {who.digest for _, who in asks if isinstance(who, Pass)}
        memory, tokens = self._memory.tokens, dict[str, ApiToken]()
        for row in many.find(ApiToken, f"{memory.wanted}, {_IS_ACTIVE}", ("digest",), [(each,) for each in digests]):
            token = memory.made(row[:-1])
            if row[-1]:
                tokens[token.digest] = token
        found: dict[int, int | None] = {}
        for place, who in asks:
            try:
                found[place] = who.admit(tokens.get(who.digest)) if isinstance(who, Pass) else who
            except Exception as error:
                if isinstance(error, DatabaseError):
                    raise
                self.outcomes[place] = error
        return found

    def _players(self, wanted: set[tuple[int, int | None]]) -> defaultdict[int, dict[int | None, Player]]:
        """Players by match and user."""
        memory = self._memory.players
        keys = [key for key in wanted if key[1] is not None]
        lock = " ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED"
        found = defaultdict[int, dict[int | None, Player]](dict)
        for row in many.find(Player, memory.wanted, ("match_id", "user_id"), keys, lock=lock):
            player = memory.made(row)
            found[player.match_id][player.user_id] = player
        return found

    def _keys(self, used: Iterable[tuple[Player, str]]) -> defaultdict[int, dict[tuple[int | None, str], Submission]]:
        """The log's rows for keys that have been used already: match -> (user, key) -> row."""
        wanted = {(player.match_id, player.user_id, key) for player, key in used}
        found = defaultdict[int, dict[tuple[int | None, str], Submission]](dict)
        rows = many.find(Submission, "t.id", ("match_id", "user_id", "key"), list(wanted), where="NOT t.key = ''")
        for row in Submission.objects.filter(pk__in=[pk for (pk,) in rows]) if rows else ():
            found[row.match_id][row.user_id, row.key] = row
        return found

    # -- storing ---------------------------------------------------------------------------------

    def store(self) -> None:
        self._stored = [writer for writer in self._writers.values() if writer.rows.log]
        if self._stored:
            store(self._stored)
        self.is_stored = True

    def remember(self) -> None:
        """Keep what the next transaction can use. Call only after the commit."""
        for writer in self._writers.values():
            self._memory.keep(writer)
