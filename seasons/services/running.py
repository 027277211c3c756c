"""Runs seasons: beginning and ending them, adding matches, commands of members and hosts, and passing what is due.

Functions raise `CommandRefused` with a sentence (and the rules' `code` if they refuse), and `NotAHost` if the person
does not host the season.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import msgspec
import structlog
from django.db import transaction
from django.db.models import Max, QuerySet

from matches.engine.errors import ConfigError
from matches.engine.game import AnyGame
from matches.games.registry import game_of
from matches.models import Match, Player, clock
from matches.services import hosting
from matches.services.commands import need_host, need_new
from matches.services.creation import create_match, made_before
from matches.services.errors import CommandRefused, Refused, refused_by_rules, retrying
from matches.services.refusal_quota import TooOften
from matches.services.roles import roles_of
from matches.services.texts import plain_text
from seasons.engine.commands import verb_of
from seasons.engine.season import Entry, config_in, entries_of
from seasons.engine.state import BLOOD_UNITS, CastEntry, SeasonSettings, Step
from seasons.models import Season, SeasonMatch
from seasons.services.writer import Kind, Writer, described, locked_season

ANNOUNCED = "host_announced"
NOT_BEGUN = "The season has not begun."
NOT_OF_THE_SEASON = "That is not a match of this season."
_LONGEST_TITLE: int = Match._meta.get_field("title").max_length or 120


@contextmanager
def commanded(season: Season, host: Any, key: str = "") -> Iterator[Writer]:
    """Lock the season and pass what is due, for a host's command. Raises `AlreadyDone` if the `key` was used before."""
    with locked_season(season.pk) as writer:
        need_host(writer.season, host)
        need_new(writer.season, host, key)
        yield writer


@retrying
def begin(season: Season, host: Any, *, key: str = "") -> None:
    """Begin the season now, which fixes its cast and settings."""
    with commanded(season, host, key) as writer:
        if writer.season.status != Season.Status.DRAFT:
            raise CommandRefused("The season has already begun.")
        begin_now(writer, user=host, key=key)


def begin_now(writer: Writer, *, actor: str = "", user: Any = None, key: str = "") -> None:
    """Begin a locked season."""
    cast = tuple(
        CastEntry(
            member.handle, member.team or None, member.garnets, member.priority, int(member.blood_garnets * BLOOD_UNITS)
        )
        for member in writer.season.cast.order_by("position", "pk")
    )
    writer.season.status, writer.season.started_at = Season.Status.RUNNING, writer.now
    payload = {
        "cast": [msgspec.structs.asdict(entry) for entry in cast],
        "people": {
            member.handle: {
                "username": member.user.username if member.user else None,
                "is_bot": member.is_bot,
                "name": member.name,
            }
            for member in writer.season.cast.select_related("user")
        },
        "roles": roles_of(writer.season).in_names(),
        "seed_hash": writer.season.seed_hash,
        "season": described(writer.season),
    }
    try:
        payload["settings"] = SeasonSettings.read(writer.season.settings).write()
        writer.record(Kind.BEGIN, payload, actor=actor, user=user, key=key)
    except ConfigError as error:
        raise CommandRefused(f"Not ready: {error.message}.", field=error.setting) from error


LONGEST_ANNOUNCEMENT = 2000
MOST_ANNOUNCEMENTS = 200
"""In one season, whose story shows all of them."""


@retrying
def announce(season: Season, host: Any, text: str, *, key: str = "") -> None:
    """Publish a host's announcement, also after the end. Raises `BadText` too."""
    text = plain_text(text, LONGEST_ANNOUNCEMENT, missing=hosting.SAY_SOMETHING)
    with commanded(season, host, key) as writer:
        _need_begun(writer)
        if writer.season.news.filter(kind=ANNOUNCED).count() >= MOST_ANNOUNCEMENTS:
            raise CommandRefused(f"This season already has {MOST_ANNOUNCEMENTS} announcements, the most it can have.")
        row = writer.record(Kind.ANNOUNCE, {"text": text}, user=host, key=key)
        writer.tell_everyone(row, ANNOUNCED, text=text)


def _need_begun(writer: Writer) -> None:
    if writer.state is None:
        raise CommandRefused(NOT_BEGUN, code="wrong_phase")


@retrying
def command(season: Season, host: Any, raw: dict[str, Any], *, key: str = "") -> None:
    """Carry out a host's command in the form of `seasons.engine.commands` (without `by`)."""
    with commanded(season, host, key) as writer:
        give(writer, {name: value for name, value in raw.items() if name != "by"}, user=host, key=key)


@retrying
def foresee(season: Season, host: Any, raw: dict[str, Any]) -> Step:
    """Return what `command` would do now, by doing it and rolling back. Raises as `command`."""
    with commanded(season, host) as writer:
        step = give(writer, raw, user=host)
        transaction.set_rollback(True)
    return step


def name_opponent(season: Season, user: Any, opponent: str, *, key: str = "") -> None:
    """Let a member name the opponent in the Death Match."""
    _as_member(season, user, lambda handle: {"name_opponent": opponent, "by": handle}, key)


def give_garnets(season: Season, user: Any, to: str, amount: int, *, key: str = "") -> None:
    """Let a member give another member garnets, if the season has gifts."""
    _as_member(season, user, lambda handle: {"gift": {"from": handle, "to": to, "amount": amount}}, key)


MOST_GIFTS = 50
"""A member's gifts in 24 hours: everybody reads of each."""


def _need_few_gifts(writer: Writer, actor: str) -> None:
    given = writer.season.log.filter(actor=actor, kind=Kind.COMMAND, payload__startswith='{"gift":')
    if given.filter(received_at__gt=writer.now - timedelta(days=1)).count() >= MOST_GIFTS:
        raise TooOften(f"You can give at most {MOST_GIFTS} times in 24 hours. Try again later.")


@retrying
def _as_member(season: Season, user: Any, command_of: Callable[[str], dict[str, Any]], key: str) -> None:
    with locked_season(season.pk) as writer:
        member = writer.season.cast.filter(user_id=user.pk).first() if user.is_authenticated else None
        if member is None:
            raise CommandRefused("You are not in the cast of this season.", code="not_in_cast")
        need_new(writer.season, user, key)
        raw, actor = command_of(member.handle), f"member:{member.handle}"
        if "gift" in raw:
            _need_few_gifts(writer, actor)
        give(writer, raw, actor, user, key)


def give(writer: Writer, raw: dict[str, Any], actor: str = "", user: Any = None, key: str = "") -> Step:
    """Carry out a command in a locked season; return its step."""
    _need_begun(writer)
    with refused_by_rules():
        if verb_of(raw) == "settle":
            _read_result_again(writer, raw)
        writer.record(Kind.COMMAND, raw, actor=actor, user=user, key=key)
    step: Step = writer.step
    writer.pass_due()  # perhaps no time is left to name an opponent
    return step


def _read_result_again(writer: Writer, raw: dict[str, Any]) -> None:
    """Read the match's result again before a host confirms it, as balances may have been corrected since its end."""
    for match in writer.begun.matches:
        if match.result is not None and raw["settle"] in (True, match.key):
            writer.note_end(match.key)
            return


@retrying
def count_blood(season: Season, host: Any, match: SeasonMatch | None, *, key: str = "") -> None:
    """Let blood garnets grow from the end of this match's pregame, or stop their growth (None)."""
    with commanded(season, host, key) as writer:
        count_blood_now(writer, match.key if match else None, user=host, key=key)


def count_blood_now(writer: Writer, match: str | None, *, actor: str = "", user: Any = None, key: str = "") -> None:
    """Like `count_blood`, in a locked season; the match (a key) may be one that has not opened."""
    _need_begun(writer)
    if match is not None and match not in writer.matches:
        raise CommandRefused(NOT_OF_THE_SEASON, field="match")
    if match is not None and writer.matches[match].match.is_off:
        raise CommandRefused("That match was cancelled before it began.", field="match")
    with refused_by_rules():
        writer.record(Kind.COUNT_BLOOD, {"match": match}, actor=actor, user=user, key=key)
    writer.pass_due()


@retrying
def add_match(
    season: Season,
    host: Any,
    game: str,
    title: str = "",
    *,
    config: dict[str, Any] | None = None,
    players: Iterable[Entry] | None = None,
    is_final: bool = False,
    key: str = "",
    **fields: Any,
) -> Match:
    """Make the draft of a season's next match, hosted by the season's hosts, with those players or all who are in. What
    they bring is determined when it opens. `fields`: as for `create_match`. With a `key` used before, return the match
    made then. Raises `KeyConflict` if that was another match."""
    with commanded(season, host) as writer:
        _need_begun(writer)
        return make_match(writer, game, title, config or {}, players, by=host, is_final=is_final, key=key, **fields)


def make_match(
    writer: Writer,
    game: str,
    title: str,
    raw_config: dict[str, Any],
    players: Iterable[Entry] | None,
    *,
    by: Any = None,
    is_final: bool = False,
    key: str = "",
    **fields: Any,
) -> Match:
    """Like `add_match`, in a locked season that has begun."""
    rules_of = game_of(game)
    try:
        config, _ = config_in(writer.begun, rules_of, raw_config)
    except ConfigError as error:
        raise CommandRefused(error.told, code="malformed", field=error.key) from error
    purpose = f"season:{writer.season.public_id}"
    if made := made_before(by, key, game, purpose):
        return made
    number = _next_number(writer.season)
    named = title or title_of_next(writer.season, rules_of)
    if hour := writer.season.usual_hour:
        fields = {"usual_hour": f"{hour:%H:%M}", "usual_zone": writer.season.zone, **fields}
    roles = roles_of(writer.season)
    match = create_match(
        game,
        named,
        hosts=roles.acting,
        observers=roles.observers,
        owner=roles.owner,
        config=config,
        by=by,
        key=key,
        purpose=purpose,
        **fields,
    )
    SeasonMatch.objects.create(season=writer.season, match=match, number=number, is_final=is_final)
    entries = entries_of(writer.begun, rules_of, None if players is None else tuple(players))
    members = {each.handle: each for each in writer.season.cast.all()}
    Player.objects.bulk_create(
        Player(
            match=match,
            handle=entry.handle,
            user_id=member.user_id,
            is_bot=member.is_bot,
            name=member.name,
            team=entry.team or "",
            position=position,
        )
        for position, entry in enumerate(entries)
        if (member := members.get(entry.handle)) is not None
    )
    writer.forget()
    return match


def title_of_next(season: Season, game: AnyGame) -> str:
    """Return the default title of the next match."""
    return f"{season.title}: {_next_number(season)}. {game.title}"[:_LONGEST_TITLE]


def _next_number(season: Season) -> int:
    last: int | None = season.matches.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


# -- ending a season, which first cancels its matches that are announced or running ---------------------------

_GOING = (Match.Status.SCHEDULED, *Match.RUNNING)


def going(season: Season) -> list[Match]:
    """Return the matches that ending the season would cancel: those announced or running. Drafts stay drafts."""
    return list(Match.objects.filter(in_season__season=season, status__in=_GOING).order_by("pk"))


@retrying
def end(season: Season, host: Any, reason: str = "", *, key: str = "") -> None:
    """End the season: all who are in share first place. Its matches in progress are cancelled with this reason, so that
    their players get back what they brought; all in one transaction. Raises `CommandRefused`, and `NotAHost` if the
    person does not host the season or one of these matches."""
    with transaction.atomic():
        # Matches are locked before their season, as everywhere, and in the order of their ids.
        for match in going(season):
            hosting.cancel(match, host, reason)
        command(season, host, {"end": True}, key=key)


# -- passing what is due: growth, opponents that nobody has named, matches that are over ---------------------

logger = structlog.get_logger(__name__)


@retrying
def advance(season_id: int) -> None:
    """Pass what is due in one season, in one transaction."""
    with locked_season(season_id):
        pass


def _due(seasons: QuerySet[Season]) -> set[int]:
    """The ids of those of these seasons in which something is due."""
    running = seasons.filter(status=Season.Status.RUNNING)
    timed = running.filter(next_deadline_at__lte=clock.now())
    pregame_over = running.filter(awaits_pregame_of__match__pregame_ended_at__isnull=False)
    over = SeasonMatch.objects.filter(
        opened_at__isnull=False, over_at__isnull=True, match__status__in=Match.OVER, season__in=running
    )
    return {
        *timed.values_list("pk", flat=True),
        *pregame_over.values_list("pk", flat=True),
        *over.values_list("season_id", flat=True),
    }


def advance_if_due(season: Season) -> bool:
    """Pass what is due if the sweep has not done so yet, for pages; return whether anything was done."""
    if season.pk not in _due(Season.objects.filter(pk=season.pk)):
        return False
    try:
        advance(season.pk)
    except Refused:
        return False
    season.refresh_from_db()
    return True


def sweep() -> int:
    """Pass what is due in all seasons; return in how many something was. A faulty season does not stop the others."""
    found = sorted(_due(Season.objects.all()))
    for season_id in found:
        try:
            advance(season_id)
        except Refused:
            logger.warning("season_busy", season=season_id)
        except Exception:
            logger.exception("season_failed", season=season_id)
    return len(found)
