"""How a match begins: opening balances, open places, whether it is ready, and its start.

If players' opening balances differ, everybody is told before the start. Hosts set them, except in a season, where
players bring what their accounts have.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import chain, count, islice
from typing import Any, NamedTuple

from matches.engine.core import BLOOD_GARNET, GARNET, PRIORITY
from matches.engine.errors import ConfigError
from matches.engine.sentences import counted, sentence
from matches.engine.settings import Entrant
from matches.engine.step import EVERYONE, HOSTS
from matches.infra.text import moment_in_words
from matches.models import Match, Player, Submission
from matches.models.clock import MatchClock
from matches.services import belonging, blood, outages
from matches.services.draws import fixed_draws
from matches.services.errors import Refused, as_rule_failure
from matches.services.places import Names, names_in, unlike
from matches.services.roles import why_none_plays
from matches.services.writer import Writer

BALANCE_FIELDS = {"garnets": GARNET, "priority": PRIORITY, "blood_garnets": BLOOD_GARNET}
"""The fields of a player that are opening balances, each with its asset."""


def tell_unequal(writer: Writer, entry: Submission, *, changed: bool = False) -> None:
    """Announce which opening balances differ, which hosts set them, and the amounts of public assets. Does nothing in a
    match of a group, or if this was announced already and no balance has `changed` since."""
    match = writer.match
    if belonging.group_of(match) is not None:
        return
    players = list(match.players.order_by("position", "pk"))
    # People who are still to join bring nothing.
    coming = {Decimal()} if match.joining in Match.OPEN_TO_ALL and len(players) < match.places else set()
    differing = {
        asset: {each.handle: format(Decimal(getattr(each, field)).normalize(), "f") for each in players}
        for field, asset in BALANCE_FIELDS.items()
        if len({Decimal(getattr(each, field)) for each in players} | coming) > 1
    }
    hosts = sorted(_who_typed(writer)) if differing else []
    if not hosts:
        return
    public = match.rules.public_assets
    data: dict[str, Any] = {
        "hosts": hosts,
        "amounts": {asset: amounts for asset, amounts in differing.items() if asset in public},
        "private": [asset for asset in differing if asset not in public],
    }
    told = match.announcements.filter(kind="opening_balances_differ").order_by("-pk").first()
    if changed or told is None or told.data != data:
        writer.announce(entry, EVERYONE, "opening_balances_differ", **data)


def _who_typed(writer: Writer) -> set[str]:
    """The usernames of hosts who gave players other opening balances than 0."""
    found = set()
    rows = writer.match.log.filter(kind=Submission.Kind.COMMAND, payload__contains='"command":"players"')
    for actor, payload in rows.values_list("actor", "payload"):
        said = json.loads(payload)
        given = [each.get(field) for each in said["added"] for field in BALANCE_FIELDS]
        given += [
            after for each in said["changed"] for field in BALANCE_FIELDS for after in each["changes"].get(field, ())
        ]
        if any(Decimal(amount or 0) for amount in given):
            found.add(actor.removeprefix("host:"))
    return found


# -- open places ---------------------------------------------------------------------------------------------
# An open place is a player row without a person or bot. In matches that anyone can join, every place that nobody has
# taken is open too. `Match.open_places` says what happens to them at the start: bots play in them, the match begins
# without them, or it waits.

_CARD_WORDS = (
    "Ace Basset Cribbage Deuce Euchre Faro Gambit Hazard Imp Joker Knave Loo Meld Mint Nines Ombre Pip Quart Ruff Skat "
    "Trey Upcard Void Whist Yarg Zwicker"
)
BOT_NAMES = tuple(_CARD_WORDS.split())

BOTS, WITHOUT, WAIT = Match.OpenPlaces.BOTS, Match.OpenPlaces.WITHOUT, Match.OpenPlaces.WAIT


class Lineup(NamedTuple):
    """Who will play, in list order (not stored yet); which of them are bots in open places; and the open places that
    are left out."""

    players: list[Player]
    bots: list[Player]
    left_out: list[Player]


def open_count(match: Match) -> int:
    """How many places of a match that has not begun are open."""
    players = list(match.players.all())
    return sum(player.is_open for player in players) + _untaken(match, len(players))


def _untaken(match: Match, players: int) -> int:
    return max(match.places - players, 0) if match.joining in Match.OPEN_TO_ALL else 0


def lineup(match: Match, choice: str) -> Lineup:
    """Who would play if the match began now. `choice`, one of `Match.OpenPlaces`, says what happens to open places."""
    players = list(match.players.select_related("user").order_by("position", "pk"))
    bots, left_out = [], []
    if choice == BOTS:
        bots = [player for player in players if player.is_open]
        for player in bots:
            player.is_bot = True
        more = _new_bots(match, players)
        players += more
        bots += more
    elif choice == WITHOUT:
        left_out = [player for player in players if player.is_open]
        players = [player for player in players if not player.is_open]
    _share_out_teams(match, players)
    return Lineup(players, bots, left_out)


def store(writer: Writer, found: Lineup) -> None:
    """Store a lineup as the match's players."""
    for player in found.left_out:
        player.delete()
    for player in found.players:
        if player.pk is None:
            player.save(force_insert=True)
        else:
            player.save(update_fields=["is_bot", "team"])
    writer.forget_players()


def _new_bots(match: Match, players: list[Player]) -> list[Player]:
    position = max((player.position for player in players), default=-1) + 1
    names = islice(unlike(bot_names(match.pk), names_in(match)), _untaken(match, len(players)))
    return [
        Player(match=match, handle=each.handle, name=each.name, is_bot=True, position=position + number)
        for number, each in enumerate(names)
    ]


def bot_names(match_id: int) -> Iterator[Names]:
    """Yield names for bots without end. Each match starts at another point of the list."""
    start = match_id % len(BOT_NAMES)
    words = (*BOT_NAMES[start:], *BOT_NAMES[:start])
    yield from (Names(word.lower(), word) for word in words)
    yield from chain.from_iterable((Names(f"{word.lower()}{n}", f"{word} {n}") for word in words) for n in count(2))


def _share_out_teams(match: Match, players: list[Player]) -> None:
    """Put players without a team into the smallest team, in list order, in matches that anyone can join."""
    teams = match.rules.teams
    if not teams or match.joining not in Match.OPEN_TO_ALL:
        return
    counts = {team: sum(player.team == team for player in players) for team in teams}
    for player in players:
        if not player.team:
            player.team = min(teams, key=lambda team: counts[team])
            counts[player.team] += 1


# -- opening -------------------------------------------------------------------------------------------------

PUT_OFF_BY = timedelta(days=1)
"""How long a start is postponed at a time: a day, so that deadlines keep the time of day that the hosts chose."""

MOST_PUT_OFFS = 7


def entrants(players: Iterable[Player]) -> tuple[Entrant, ...]:
    """These players in the form that the rules take."""
    return tuple(Entrant(player.handle, player.team or None, player.garnets, player.priority) for player in players)


def roster_of(match: Match) -> tuple[Entrant, ...]:
    """The match's players in the form that the rules take, in list order."""
    return entrants(match.players.order_by("position", "pk"))


def setting_problems(match: Match) -> list[str]:
    """Why the match's settings cannot be played, a sentence each. For hosts, because they may reveal secrets."""
    try:
        match.rules.read_config(match.config)
    except ConfigError as error:
        return [error.told]
    if (group := belonging.group_of(match)) and (found := group.setting_problems(match.config)):
        return found
    sizes = match.rules.sizes
    if match.joining in Match.OPEN_TO_ALL and not sizes.least <= match.places <= sizes.most:
        return [f"{match.rules.title} takes {sizes.in_words()} players, but there are {match.places} places."]
    return []


def problems_now(match: Match) -> list[str]:
    """Why a match cannot open now, a sentence each."""
    found = setting_problems(match)
    if match.open_places == WAIT and (count := open_count(match)):
        return [*found, f"{_are_open(count)}, and the match waits for them. Choose bots, or begin without them."]
    return [*found, *player_problems(match, lineup(match, match.open_places).players)]


def problems(match: Match) -> list[str]:
    """Why a match cannot be published for later, a sentence each. Open places are no reason, since people may take them
    until the start, and hosts have chosen what happens to the rest."""
    players = list(match.players.select_related("user").order_by("position", "pk"))
    may_grow = match.joining in Match.OPEN_TO_ALL and len(players) < match.places
    return [*setting_problems(match), *player_problems(match, players, in_full=not may_grow)]


def player_problems(match: Match, players: Iterable[Player], *, in_full: bool = True) -> list[str]:
    """Why these players cannot play together, a sentence each, which everyone may read. Without `in_full` more players
    may still come, so only each person is checked."""
    players, found = list(players), []
    if in_full:
        try:
            match.rules.check_roster(entrants(players))
            if not setting_problems(match):
                match.rules.check_start(match.rules.read_config(match.config), entrants(players))
        except ConfigError as error:
            found.append(sentence(error.message))
    found += filter(None, why_none_plays(match, [each.user for each in players if each.user is not None]))
    if in_full and (group := belonging.group_of(match)):
        found += group.player_problems(players)
    return found


def _are_open(count: int) -> str:
    return f"{counted(count, 'place is', 'places are')} open"


def warnings(match: Match) -> tuple[str, ...]:
    """Sentences that warn hosts about what is unusual but playable."""
    try:
        config = match.rules.read_config(match.config)
    except ConfigError:
        return ()
    return match.rules.warnings(config, roster_of(match))


def start_has_come(match: Match, now: datetime) -> bool:
    """Whether a scheduled match should have begun by now."""
    is_due = match.starts_at is not None and match.starts_at <= now
    return match.status == Match.Status.SCHEDULED and is_due and not match.start_problem


def open_due(writer: Writer) -> bool:
    """Open a scheduled match whose start has come, and return whether anything was done.

    The match's clock starts at the announced instant, however late the machine is. A match that waits for open places
    is postponed by a day at a time, and one whose start fell into an outage until after it. One that cannot be played
    stays announced, says why, and waits until its hosts start it.
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
        _fail(writer, found, ["Nobody can play the match with its current settings."])
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
    """In a match of a group, let the players bring what they have. Returns why that was refused, if it was."""
    group = belonging.group_of(writer.match)
    if group is None:
        return []
    try:
        group.bring(who.players)
    except Refused as refusal:
        return [refusal.message]
    writer.match.config = group.config(writer.match.config)
    Player.objects.bulk_update([player for player in who.players if player.pk], ["garnets", "priority"])
    return []


def _put_off(writer: Writer, count: int) -> None:
    match = writer.match
    if match.starts_at is None or _put_offs(match) >= MOST_PUT_OFFS:
        said = f"After {counted(MOST_PUT_OFFS, 'day')} of waiting, {_are_open(count)}."
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
    """How many times the start has been postponed since the last publication."""
    published = match.log.filter(payload__startswith='{"command":"publish",').order_by("-number").first()
    since = 0 if published is None else published.number
    return match.log.filter(number__gt=since, payload__startswith='{"command":"put_off",').count()


def _fail(writer: Writer, found: list[str], public: list[str]) -> None:
    """Record why a match could not begin: `found` for its hosts, `public` for everyone."""
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
    match.set_clock(MatchClock(match.opened_at, timedelta()))
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
        data["fixed"] = {each.what: each.by or "" for each in fixed}
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
