"""Whether the time of an answer tells that somebody else has done something secret: `python -m benchmarks.tells`.

Pairs of matches of each match type with the same seed and the same people. In one of each pair, by turns the one that
was made first and the other, a bot has sealed for the first player. Another player and a visitor look at both, in a
random order: pages and the API. From the two lists of times an observer would guess which is which: see
`benchmarks.enumeration` for the AUC, of which 0.5 is chance and the goal at most 0.55. With `--slow MS` the answers of
the match with the secret are made later, so that the figure can fail.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from benchmarks.enumeration import measure
from benchmarks.lists import empty_database

_SEED = "5e" * 32
_PAIRS = 10

Pair = tuple[Any, Any]
"""The match with the secret and the one without."""


def twins(slug: str) -> tuple[list[Pair], Any]:
    """Pairs of matches, and who looks."""
    from accounts.models import User
    from matches.games.registry import game_of

    users = [User.objects.create(username=f"{slug}{number}") for number in range(game_of(slug).sizes.least + 1)]
    return [_pair(slug, users, is_second=number % 2 == 1) for number in range(_PAIRS)], users[1]


def _pair(slug: str, users: list[Any], *, is_second: bool) -> Pair:
    """Two matches as far as somebody seals, in the one that was made first or second."""
    from matches.games.registry import game_of
    from matches.models import Match, clock
    from matches.services import hosting
    from matches.services.creation import create_match
    from matches.services.deadlines import advance
    from matches.services.joining import add_player

    game, made = game_of(slug), []
    with clock.fixed(clock.now()) as present:
        for _ in range(2):
            match = create_match(slug, "Twins", hosts=(users[-1],), seed=_SEED)
            for place, user in enumerate(users[:-1]):
                team = game.teams[place % len(game.teams)] if game.teams else ""
                add_player(match, f"p{place}", user=user, garnets=10, team=team)
            hosting.publish(match, users[-1])
            made.append(match)
        for _ in range(20):
            present.forward(timedelta(seconds=1))
            for match in made:
                advance(match.pk)
            one, other = (Match.objects.get(pk=made[place].pk) for place in (is_second, not is_second))
            if game.sealed(game.decode_state(one.state)) is not None and _seals(one, users[0]):
                return one, other
            present.instant = max(present.instant, one.next_deadline_at or present.instant)
    raise SystemExit(f"nothing is sealed in {slug}")


def _seals(match: Any, user: Any) -> bool:
    """Let a bot seal for this person; whether it did."""
    from matches.engine.draw import Draw
    from matches.services.actions import submit_action

    game, state = match.rules, match.rules.decode_state(match.state)
    views = game.public_view(state), game.private_view(state, "p0")
    for number in range(20):
        action = game.bot_action(*views, state.core.time, Draw(bytes([number] * 32)))
        if action is not None and submit_action(match.pk, user.pk, action).accepted:
            return True
    return False


def looks(pairs: list[Pair], user: Any, slow: float) -> dict[str, Callable[[bool, int], None]]:
    """What is asked for, by name."""
    from django.test import Client

    def look(client: Client, path: str) -> Callable[[bool, int], None]:
        def ask(has_secret: bool, number: int) -> None:
            one, other = pairs[number % len(pairs)]
            match = one if has_secret else other
            if client.get(path.format(match.public_id)).status_code != 200:
                raise SystemExit(f"{path} does not answer")
            if has_secret and slow:  # also a sleep of no time lets others have the processor
                time.sleep(slow)

        return ask

    player, visitor = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    player.force_login(user)
    page, api = "/matches/{}/", "/api/v1/matches/{}/"
    return {
        "page, player": look(player, page),
        "page, visitor": look(visitor, page),
        "API, player": look(player, api),
        "API, visitor": look(visitor, api),
    }


def main() -> None:
    """Measure every look at each match type and print its AUC."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", help="the slug of a match type; else all of them")
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--slow", type=float, default=0.0, metavar="MS", help="milliseconds that the secret costs")
    options = parser.parse_args()
    with empty_database():
        from matches.games.registry import all_games

        for slug in [options.game] if options.game else list(all_games()):
            pairs, user = twins(slug)
            for name, ask in looks(pairs, user, options.slow / 1000).items():
                print(f"{slug:24} {name:14} AUC {measure(ask, options.samples):.3f}", flush=True)


if __name__ == "__main__":
    main()
