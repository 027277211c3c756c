"""From a schedule to a running match: readiness, and the opening itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from matches.engine.core import Entrant
from matches.engine.errors import ConfigError
from matches.engine.step import EVERYONE, HOSTS
from matches.models import Match, Player, Submission
from matches.services import blood
from matches.services.fixed_draws import fixed_draws
from matches.services.insiders import why_not_play
from matches.services.storage import log
from matches.services.storage.retry import rules
from matches.services.writer import Writer


def roster_of(match: Match) -> tuple[Entrant, ...]:
    """The match's players as the rules want them, in list order."""
    return tuple(
        Entrant(player.handle, player.team or None, player.garnets, player.priority)
        for player in match.players.order_by("position", "pk")
    )


def setting_problems(match: Match) -> list[str]:
    """Why the match's settings cannot be played, a sentence each."""
    try:
        match.rules.read_config(match.config)
    except ConfigError as error:
        return [f"The setting {error.key} cannot be played: {error.message}."]
    sizes = match.rules.sizes
    if match.joining == Match.Joining.OPEN and not sizes.least <= match.places <= sizes.most:
        return [f"{match.rules.title} takes {sizes.in_words()} players, and there are {match.places} places."]
    return []


def problems(match: Match) -> list[str]:
    """Why a match cannot open yet, a sentence each; empty when it is ready."""
    found = setting_problems(match)
    try:
        match.rules.check_roster(roster_of(match))
    except ConfigError as error:
        found.append(f"{error.message[:1].upper()}{error.message[1:]}.")
    for player in match.players.select_related("user"):
        if player.is_open and not match.fill_with_bots:
            found.append(f"Nobody plays as {player.handle} yet: add a person or send the invitation.")
        if player.user is not None and (why_not := why_not_play(match, player.user)):
            found.append(why_not)
    return found


def warnings(match: Match) -> tuple[str, ...]:
    """What is unusual but playable."""
    try:
        config = match.rules.read_config(match.config)
    except ConfigError:
        return ()
    return match.rules.warnings(config, roster_of(match))


_CARD_WORDS = (
    "Ace Basset Cribbage Deuce Euchre Faro Gambit Hazard Imp Joker Knave Loo Meld Mint Nines Ombre Pip Quart Ruff Skat "
    "Trey Upcard Void Whist Yarg Zwicker"
)
BOT_NAMES = tuple(_CARD_WORDS.split())


def fill_places(writer: Writer) -> None:
    """Where the match says so, let bots play in every open place; then give whoever has no team
    the smallest one, in list order."""
    match = writer.match
    players = list(match.players.order_by("position", "pk"))
    if match.fill_with_bots:
        for player in players:
            if player.is_open:
                player.is_bot = True
                player.save(update_fields=["is_bot"])
        if match.joining == Match.Joining.OPEN:
            players += _new_bots(match, players)
    _share_out_teams(match, players)
    writer.forget_players()


def _new_bots(match: Match, players: list[Player]) -> list[Player]:
    taken = {player.handle.lower() for player in players}
    free = [name for name in BOT_NAMES if name.lower() not in taken]
    # Not always the same ones: each match begins elsewhere in the list.
    start = match.pk % len(free)
    names = [*free[start:], *free[:start]][: max(match.places - len(players), 0)]
    position = max((player.position for player in players), default=-1) + 1
    return Player.objects.bulk_create(
        Player(match=match, handle=name.lower(), name=name, is_bot=True, position=position + number)
        for number, name in enumerate(names)
    )


def _share_out_teams(match: Match, players: list[Player]) -> None:
    teams = match.rules.teams
    if not teams or match.joining != Match.Joining.OPEN:
        return
    counts = {team: sum(player.team == team for player in players) for team in teams}
    for player in players:
        if not player.team:
            player.team = min(teams, key=lambda team: counts[team])
            counts[player.team] += 1
            player.save(update_fields=["team"])


def open_due(writer: Writer) -> bool:
    """Open a scheduled match whose start has come; whether anything was done.

    The match's clock starts at the start instant, however late the machine is. One that is not
    ready goes back to being a draft, and its hosts are told why.
    """
    match = writer.match
    if match.status != Match.Status.SCHEDULED or match.starts_at is None:
        return False
    if match.starts_at > writer.now:
        return False
    fill_places(writer)
    if found := problems(match):
        match.status = Match.Status.DRAFT
        row = writer.record(_row(writer, {"command": "not_opened", "problems": found}))
        writer.announce(row, HOSTS, "match_not_opened", problems=found)
        writer.touch_all()
        return True
    _open(writer)
    return True


def _open(writer: Writer) -> None:
    match, game = writer.match, writer.game
    config = game.read_config(match.config)
    roster = roster_of(match)
    match.status = Match.Status.OPEN
    match.opened_at = match.starts_at or writer.now
    match.rules_version = game.rules_version
    match.start_clock(match.opened_at)
    facts = {
        "command": "open",
        "game": match.game,
        "rules_version": game.rules_version,
        "config": config.write(),
        "players": [{"handle": e.handle, "team": e.team, "garnets": e.garnets, "priority": e.priority} for e in roster],
        "seed_hash": match.seed_hash,
    }
    with rules():
        step = game.open(config, roster, writer.draw)
    row = writer.record(_row(writer, facts), step)
    told: dict[str, Any] = {"seed_hash": match.seed_hash}
    if fixed := fixed_draws(match):
        told["fixed"] = {each.what: each.by for each in fixed}
    writer.announce(row, EVERYONE, "match_opened", **told)
    writer.touch_all()
    _bring_blood_garnets(writer, row)


def _bring_blood_garnets(writer: Writer, row: Submission) -> None:
    for player in Player.objects.filter(match=writer.match, blood_garnets__gt=0):
        blood.post(writer, row, player, blood.units_of(player.blood_garnets), "opening")


def _row(writer: Writer, payload: dict[str, Any]) -> Submission:
    return Submission(
        kind=Submission.Kind.COMMAND,
        actor="clock",
        payload=log.canonical(payload),
        received_at=writer.now,
        match_time=timedelta(),
        accepted=True,
    )
