"""What happens in a season: it begins, matches are added, members and hosts give commands.

All raise `CommandRefused` with a sentence (its `code` is that of the rules where they refuse), and `NotAHost` where the
person does not host the season.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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
from matches.services.commands import need_new
from matches.services.creation import create_match, made_before
from matches.services.errors import CommandRefused, Refused, refused_by_rules, retrying
from matches.services.texts import plain_text
from seasons.engine import season as rules
from seasons.engine.commands import verb_of
from seasons.engine.season import Entry, config_in, entries_of
from seasons.engine.state import BLOOD_UNITS, CastEntry, SeasonSettings, Step
from seasons.models import Season, SeasonMatch
from seasons.services.roles import need_host, roles_of
from seasons.services.writer import Kind, Writer, described, locked_season

ANNOUNCED = "host_announced"
NOT_BEGUN = "The season has not begun."
NOT_OF_THE_SEASON = "That is not a match of this season."
_LONGEST_TITLE: int = Match._meta.get_field("title").max_length or 120


@contextmanager
def commanded(season: Season, host: Any, key: str = "") -> Iterator[Writer]:
    """The season, locked and brought up to now, for a host's command, which is not done a second time with its key."""
    with locked_season(season.pk) as writer:
        need_host(writer.season, host)
        need_new(writer.season, host, key)
        yield writer


@retrying
def begin(season: Season, host: Any, *, key: str = "") -> None:
    """The season begins now, with its cast and settings fixed."""
    with commanded(season, host, key) as writer:
        if writer.season.status != Season.Status.DRAFT:
            raise CommandRefused("The season has already begun.")
        begin_now(writer, user=host, key=key)


def begin_now(writer: Writer, *, actor: str = "", user: Any = None, key: str = "") -> None:
    """The season, locked, begins."""
    cast = tuple(
        CastEntry(
            member.handle, member.team or None, member.garnets, member.priority, int(member.blood_garnets * BLOOD_UNITS)
        )
        for member in writer.season.cast.order_by("position", "pk")
    )
    try:
        settings = SeasonSettings.read(writer.season.settings)
        step = rules.begin(settings, cast)
    except ConfigError as error:
        raise CommandRefused(f"Not ready: {error.message}.", field=error.setting) from error
    writer.season.status, writer.season.started_at = Season.Status.RUNNING, writer.now
    payload = {
        "settings": settings.write(),
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
    writer.record(Kind.BEGIN, payload, step, actor=actor, user=user, key=key)


LONGEST_ANNOUNCEMENT = 2000
MOST_ANNOUNCEMENTS = 200
"""In one season: all of them are in its story."""


@retrying
def announce(season: Season, host: Any, text: str, *, key: str = "") -> None:
    """A host says something to everybody, also after the end. Raises `BadText` too."""
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
    """A host's command, as `seasons.engine.commands` lists them (without `by`)."""
    with commanded(season, host, key) as writer:
        give(writer, {name: value for name, value in raw.items() if name != "by"}, user=host, key=key)


@retrying
def foresee(season: Season, host: Any, raw: dict[str, Any]) -> Step:
    """What `command` would do now. It is done, and undone at once, so that nothing differs. Raises as `command`."""
    with commanded(season, host) as writer:
        step = give(writer, raw, user=host)
        transaction.set_rollback(True)
    return step


def name_opponent(season: Season, user: Any, opponent: str, *, key: str = "") -> None:
    """A member names the opponent in the Death Match."""
    _as_member(season, user, lambda handle: {"name_opponent": opponent, "by": handle}, key)


def give_garnets(season: Season, user: Any, to: str, amount: int, *, key: str = "") -> None:
    """A member gives another member garnets, where the season has gifts."""
    _as_member(season, user, lambda handle: {"gift": {"from": handle, "to": to, "amount": amount}}, key)


@retrying
def _as_member(season: Season, user: Any, command_of: Callable[[str], dict[str, Any]], key: str) -> None:
    with locked_season(season.pk) as writer:
        member = writer.season.cast.filter(user_id=user.pk).first() if user.is_authenticated else None
        if member is None:
            raise CommandRefused("You are not in the cast of this season.", code="not_in_cast")
        need_new(writer.season, user, key)
        give(writer, command_of(member.handle), f"member:{member.handle}", user, key)


def give(writer: Writer, raw: dict[str, Any], actor: str = "", user: Any = None, key: str = "") -> Step:
    """A command in a locked season, and what it did."""
    _need_begun(writer)
    with refused_by_rules():
        if verb_of(raw) == "settle":
            _read_result_again(writer, raw)
        step = rules.apply(writer.begun, raw, writer.time)
    writer.record(Kind.COMMAND, raw, step, actor=actor, user=user, key=key)
    writer.pass_due()  # no time to name an opponent is left, perhaps
    return step


def _read_result_again(writer: Writer, raw: dict[str, Any]) -> None:
    """What a host confirms is how the match stands by now: balances may have been corrected since its end."""
    for match in writer.begun.matches:
        if match.result is not None and raw["settle"] in (True, match.key):
            writer.note_end(match.key)
            return


@retrying
def count_blood(season: Season, host: Any, match: SeasonMatch | None, *, key: str = "") -> None:
    """Blood garnets grow from the end of this match's pregame from now on, or not any more (None)."""
    with commanded(season, host, key) as writer:
        count_blood_now(writer, match.key if match else None, user=host, key=key)


def count_blood_now(writer: Writer, match: str | None, *, actor: str = "", user: Any = None, key: str = "") -> None:
    """The same, in a locked season. A match of the season that has not opened can be named, too."""
    _need_begun(writer)
    if match is not None and match not in writer.matches:
        raise CommandRefused(NOT_OF_THE_SEASON, field="match")
    with refused_by_rules():
        step = rules.count_blood(writer.begun, match, writer.time)
    writer.record(Kind.COUNT_BLOOD, {"match": match}, step, actor=actor, user=user, key=key)
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
    """The next match of a season, a draft: its hosts are those of the season, its players all who are in, or those
    listed. What they bring is found when it opens. `fields`: of the match, as `create_match` takes them. The same `key`
    a second time returns the first match. Raises `KeyConflict` where another match was made with it."""
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
    """The same, in a locked season that has begun."""
    rules_of = game_of(game)
    try:
        config, _ = config_in(writer.begun, rules_of, raw_config)
    except ConfigError as error:
        raise CommandRefused(f"The setting {error.key} {error.message}.", code="malformed", field=error.key) from error
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
    """What the next match is called, if its hosts do not say otherwise."""
    return f"{season.title}: {_next_number(season)}. {game.title}"[:_LONGEST_TITLE]


def _next_number(season: Season) -> int:
    last: int | None = season.matches.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


# -- ending a season, also while matches of it are announced or running: these are cancelled first -----------

_GOING = (Match.Status.SCHEDULED, *Match.RUNNING)


def going(season: Season) -> list[Match]:
    """The matches that would be cancelled: those that are announced or running. Drafts nobody knows of stay drafts."""
    return list(Match.objects.filter(in_season__season=season, status__in=_GOING).order_by("pk"))


@retrying
def end(season: Season, host: Any, reason: str = "", *, key: str = "") -> None:
    """End the season: all who are in share the first place. Matches that go on are cancelled with this reason, so that
    their players have back what they brought. All of it is one transaction: either everything is done or nothing.

    Raises `CommandRefused`, and `NotAHost` for who does not host the season or one of these matches."""
    with transaction.atomic():
        # Matches are locked before their season, as everywhere, and in the order of their ids.
        for match in going(season):
            hosting.cancel(match, host, reason)
        command(season, host, {"end": True}, key=key)


# -- bringing seasons up to now: growth, opponents that nobody has named, matches that are over --------------

logger = structlog.get_logger(__name__)


@retrying
def advance(season_id: int) -> None:
    """Bring one season up to now. All of it is one transaction, so nothing is done twice."""
    with locked_season(season_id):
        pass


def _due(seasons: QuerySet[Season]) -> set[int]:
    """Which of these seasons have something to do now."""
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
    """For pages: bring a season up to now where the sweep has not come by yet; whether that was done."""
    if season.pk not in _due(Season.objects.filter(pk=season.pk)):
        return False
    try:
        advance(season.pk)
    except Refused:
        return False
    season.refresh_from_db()
    return True


def sweep() -> int:
    """Bring every season up to now in which something is due; how many. A season at fault must not stop the others."""
    found = sorted(_due(Season.objects.all()))
    for season_id in found:
        try:
            advance(season_id)
        except Refused:
            logger.warning("season_busy", season=season_id)
        except Exception:
            logger.exception("season_failed", season=season_id)
    return len(found)
