"""Starting matches: whether a match is ready, its start, and what happens if it is not ready at that time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from matches.engine.errors import ConfigError
from matches.engine.roster import Entrant
from matches.engine.sentences import counted, sentence
from matches.engine.step import EVERYONE, HOSTS
from matches.infra.moments import moment_in_words
from matches.models import Match, Player, Submission
from matches.services import belonging, blood, outages
from matches.services.errors import Refused
from matches.services.fixed_draws import fixed_draws
from matches.services.insiders import why_none_plays
from matches.services.open_places import WAIT, Lineup, lineup, open_count, store
from matches.services.opening_balances import tell_unequal
from matches.services.storage.retry import as_rule_failure
from matches.services.writer import Writer

PUT_OFF_BY = timedelta(days=1)
"""So long a start is postponed at a time: daily deadlines keep the time of day that the hosts chose."""

MOST_PUT_OFFS = 7


def entrants(players: Iterable[Player]) -> tuple[Entrant, ...]:
    """The given players in the form that the rules take."""
    return tuple(Entrant(player.handle, player.team or None, player.garnets, player.priority) for player in players)


def roster_of(match: Match) -> tuple[Entrant, ...]:
    """The match's players in the form that the rules take, in list order."""
    return entrants(match.players.order_by("position", "pk"))


def setting_problems(match: Match) -> list[str]:
    """Why the match's settings cannot be played, a sentence each. They may name what only hosts know."""
    try:
        match.rules.read_config(match.config)
    except ConfigError as error:
        return [f"The setting {error.key} cannot be played: {error.message}."]
    if (group := belonging.group_of(match)) and (found := group.setting_problems(match.config)):
        return found
    sizes = match.rules.sizes
    if match.joining in Match.OPEN_TO_ALL and not sizes.least <= match.places <= sizes.most:
        return [f"{match.rules.title} takes {sizes.in_words()} players, and there are {match.places} places."]
    return []


def problems_now(match: Match) -> list[str]:
    """Why a match cannot open at this very moment, a sentence each."""
    found = setting_problems(match)
    if match.open_places == WAIT and (count := open_count(match)):
        return [*found, f"{_are_open(count)}, and the match waits for them: choose bots, or begin without them."]
    return [*found, *player_problems(match, lineup(match, match.open_places).players)]


def problems(match: Match) -> list[str]:
    """Why a match cannot be published for later, a sentence each. Open places are not a reason: until the start
    somebody may take them, and what becomes of them then is chosen."""
    players = list(match.players.select_related("user").order_by("position", "pk"))
    may_grow = match.joining in Match.OPEN_TO_ALL and len(players) < match.places
    return [*setting_problems(match), *player_problems(match, players, in_full=not may_grow)]


def player_problems(match: Match, players: Iterable[Player], *, in_full: bool = True) -> list[str]:
    """Why these players cannot play together, a sentence each, which everyone may read. Without `in_full` there may
    be too few of them yet."""
    players, found = list(players), []
    if in_full:
        try:
            match.rules.check_roster(entrants(players))
        except ConfigError as error:
            found.append(sentence(error.message))
    found += filter(None, why_none_plays(match, [each.user for each in players if each.user is not None]))
    if in_full and (group := belonging.group_of(match)):
        found += group.player_problems(players)
    return found


def _are_open(count: int) -> str:
    return f"{counted(count, 'place is', 'places are')} open"


def warnings(match: Match) -> tuple[str, ...]:
    """What is unusual but playable."""
    try:
        config = match.rules.read_config(match.config)
    except ConfigError:
        return ()
    return match.rules.warnings(config, roster_of(match))


def start_has_come(match: Match, now: datetime) -> bool:
    """Whether the match is to begin by now, even if nobody has opened it yet."""
    is_due = match.starts_at is not None and match.starts_at <= now
    return match.status == Match.Status.SCHEDULED and is_due and not match.start_problem


def open_due(writer: Writer) -> bool:
    """Open a scheduled match whose start has come; whether anything was done.

    The match's clock starts at the start instant, however late the machine is. One that waits for open places is put
    off, a day at a time, and one whose start fell into an outage until after it; one that cannot be played stays
    announced, says why, and begins when its hosts say so.
    """
    done = False
    while start_has_come(writer.match, writer.now):
        if not outages.put_off(writer):
            _start(writer)
        done = True
    return done


def _start(writer: Writer) -> None:
    match = writer.match
    if found := setting_problems(match):
        _fail(writer, found, ["Its settings cannot be played as they are."])
    elif match.open_places == WAIT and (count := open_count(match)):
        _put_off(writer, count)
    else:
        _start_with(writer, lineup(match, match.open_places))


def _start_with(writer: Writer, who: Lineup) -> None:
    if found := player_problems(writer.match, who.players) or _bring(writer, who):
        _fail(writer, found, found)
    else:
        _settle_open_places(writer, who)
        _open(writer)


def _bring(writer: Writer, who: Lineup) -> list[str]:
    """Let the players bring what they have, if the match belongs to something; why that was refused."""
    group = belonging.group_of(writer.match)
    if group is None:
        return []
    try:
        group.bring(who.players)
    except Refused as refusal:
        return [refusal.message]
    if (config := group.config(writer.match.config)) != writer.match.config:
        writer.match.config = config
        writer.match.save(update_fields=["config"])
    Player.objects.bulk_update([player for player in who.players if player.pk], ["garnets", "priority"])
    return []


def _put_off(writer: Writer, count: int) -> None:
    match = writer.match
    if match.starts_at is None or _put_offs(match) >= MOST_PUT_OFFS:
        said = f"After {counted(MOST_PUT_OFFS, 'day')} of waiting {_are_open(count)}."
        _fail(writer, [said], [said])
        return
    start, hour = match.starts_at, match.hour_at(match.starts_at)
    match.starts_at = start + PUT_OFF_BY if hour is None else hour.after(start)
    payload = {"command": "put_off", "open_places": count, "starts_at": match.starts_at.isoformat()}
    starts = {"starts_at": match.starts_at.isoformat(), "starts": moment_in_words(match.starts_at)}
    data = {"open_places": count, **starts}
    writer.announce(writer.record(writer.row(payload, time=timedelta())), EVERYONE, "start_put_off", **data)
    writer.touch_all()


def _put_offs(match: Match) -> int:
    """How many times the start has been postponed since the match was published last."""
    published = match.log.filter(payload__startswith='{"command":"publish",').order_by("-number").first()
    since = 0 if published is None else published.number
    return match.log.filter(number__gt=since, payload__startswith='{"command":"put_off",').count()


def _fail(writer: Writer, found: list[str], public: list[str]) -> None:
    """Note why a match has not begun: `found` for its hosts, `public` for everyone."""
    writer.match.start_problem = " ".join(public)
    row = writer.record(writer.row({"command": "not_opened", "problems": found}, time=timedelta()))
    writer.announce(row, HOSTS, "match_not_opened", problems=found)
    writer.announce(row, EVERYONE, "match_not_opened", problems=public)
    writer.touch_all()


def _settle_open_places(writer: Writer, found: Lineup) -> None:
    handles = [player.handle for player in found.bots or found.left_out]
    store(writer, found)
    if handles:
        data = {"choice": writer.match.open_places, "handles": handles}
        row = writer.record(writer.row({"command": "open_places", **data}, time=timedelta()))
        writer.announce(row, EVERYONE, "open_places_settled", **data)


def _open(writer: Writer) -> None:
    match, game = writer.match, writer.game
    config = game.read_config(match.config)
    roster = roster_of(match)
    match.status = Match.Status.OPEN
    match.opened_at = match.starts_at or writer.now
    match.rules_version = game.rules_version
    match.start_clock(match.opened_at)
    payload = {
        "command": "open",
        "game": match.game,
        "rules_version": game.rules_version,
        "config": config.write(),
        "players": [{"handle": e.handle, "team": e.team, "garnets": e.garnets, "priority": e.priority} for e in roster],
        "seed_hash": match.seed_hash,
    }
    with as_rule_failure():
        step = game.open(config, roster, writer.draw)
    row = writer.record(writer.row(payload, time=timedelta()), step)
    data: dict[str, Any] = {"seed_hash": match.seed_hash}
    if fixed := fixed_draws(match):
        data["fixed"] = {each.what: each.by for each in fixed}
    tell_unequal(writer, row)
    writer.announce(row, EVERYONE, "match_opened", **data)
    writer.touch_all()
    _bring_blood_garnets(writer, row)
    if match.closes_when_sent:
        writer.announce(row, EVERYONE, "closing_switched", on=True)
    if match.blood_garnets:
        writer.announce(row, EVERYONE, blood.GROWTH_TOLD, on=True)


def _bring_blood_garnets(writer: Writer, row: Submission) -> None:
    for player in Player.objects.filter(match=writer.match, blood_garnets__gt=0):
        blood.post(writer, row, player, blood.units_of(player.blood_garnets), "opening")
