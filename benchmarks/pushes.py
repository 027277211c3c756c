"""What it costs to show a change to everybody by HTML: `python -m benchmarks.pushes SLUG [--players N]`.

Measured in this process, as the hub does it: read the match, render what everybody and each player sees, compare it
with what they have seen, and build the frames; without sockets. All times are CPU time of the thread. What happens is
one player's action, a second after the one before: a bid that outbids somebody where the match type has bids of a seat
and an amount, else what a bot does; where no bot does anything more, the next deadline passes.
"""

from __future__ import annotations

import argparse
import json
from datetime import timedelta
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

from benchmarks.client import percentile
from benchmarks.inside import enter
from benchmarks.site import embedded_server


class Push(NamedTuple):
    """Seconds of CPU, and bytes of all frames, each counted once."""

    seconds: float
    size: int


class Watched:
    """A match that everybody watches, with one tab for each player and one for everybody else."""

    def __init__(self, match_id: int) -> None:
        from matches.live.snapshots import Key
        from matches.models import Match, Player
        from matches.queries.matches import Position

        self.match_id = match_id
        self.players = list(Player.objects.filter(match_id=match_id).order_by("position"))
        self.keys = [Key("html"), *(Key("html", player.pk, player.user_id) for player in self.players)]
        self.seen: dict[Any, Any] = {}
        public: Any = Position(Match.objects.get(pk=match_id)).public
        self.seats = [seat.seat for row in public.board for seat in row] if hasattr(public, "bid_timer") else []

    def push(self) -> Push:
        """Show everybody what has changed."""
        from matches.live.snapshots import encode_frame, match_snapshots

        start, size = thread_time(), 0
        look = match_snapshots(self.match_id, self.keys)
        if look is None:
            raise SystemExit("the match is gone")
        for key, snapshot in look.snapshots.items():
            if fields := snapshot.fields(self.seen.get(key)):
                size += len(encode_frame(fields, look.now))
            self.seen[key] = snapshot
        return Push(thread_time() - start, size)

    def act(self, turn: int) -> bool:
        """One action; False where no player does anything."""
        return self._bid(turn) if self.seats else any(self._move(turn + place) for place in range(len(self.players)))

    def _bid(self, turn: int) -> bool:
        from matches.services.actions import submit_action

        lap, place = divmod(turn, len(self.seats))
        bidder = self.players[(place + lap) % len(self.players)]
        action = {"type": "bid", "seat": self.seats[place], "amount": turn + 1}
        return submit_action(self.match_id, bidder.user_id, action).accepted

    def _move(self, turn: int) -> bool:
        from matches.models import Player
        from matches.services import bots

        player = self.players[turn % len(self.players)]
        Player.objects.filter(pk=player.pk).update(bot_acts_at=None)
        player.bot_acts_at = None
        return bots.move(player)


def measure(match_id: int, pushes: int) -> dict[str, list[Push]]:
    """What it took where nobody had seen anything yet, after one player's action, and after a deadline."""
    from matches.models import Match, clock
    from matches.services import outages
    from matches.services.deadlines import advance

    watched = Watched(match_id)
    took: dict[str, list[Push]] = {"first": [], "action": [], "deadline": []}
    with outages.ignored(), clock.fixed(clock.now()) as present:
        took["first"].append(watched.push())
        for turn in range(pushes):
            present.forward(timedelta(seconds=1))
            if watched.act(turn):
                took["action"].append(watched.push())
                continue
            match = Match.objects.get(pk=match_id)
            if match.next_deadline_at is None:
                break
            present.instant = max(present.instant, match.next_deadline_at)
            advance(match_id)
            took["deadline"].append(watched.push())
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", metavar="SLUG")
    parser.add_argument("--players", type=int, default=0, help="default: as many as the game is made for")
    parser.add_argument("--pushes", type=int, default=200)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site)
        from django.urls import get_resolver

        from matches.games.registry import all_games
        from matches.models import Match

        _ = get_resolver().url_patterns  # a server has read its addresses before anybody watches
        players = options.players or all_games()[options.game].sizes.usual[0]
        (made,) = site.make_matches(options.game, 1, players)
        found = measure(Match.objects.get(public_id=made["id"]).pk, options.pushes)
    figures: dict[str, Any] = {"players": players}
    for name, pushes in found.items():
        if took := [push.seconds for push in pushes]:
            figures[name] = {
                "pushes": len(pushes),
                "cpu_ms_p50": round(median(took) * 1000, 2),
                "cpu_ms_p90": round(percentile(took, 0.9) * 1000, 2),
                "bytes": round(median(push.size for push in pushes)),
            }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
