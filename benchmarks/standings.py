"""How long the page of a large season takes, and how many queries: `python -m benchmarks.standings`.

A season of 60 members in which 30 matches have been played and settled, as a visitor sees it. Measured
in this process, from request to response through all middleware.
"""

from __future__ import annotations

import argparse
import json
from datetime import timedelta
from typing import Any

from benchmarks.inside import enter
from benchmarks.pages import look
from benchmarks.site import embedded_server


def make_season(members: int, matches: int) -> str:
    """The address of a season in which this many matches have been played, three members in each."""
    from accounts.models import User
    from benchmarks.games import auction_game
    from matches.engine.match_time import seconds
    from seasons.engine.scenario import read
    from seasons.models import Season
    from seasons.services.scenario_runner import play_season

    game = auction_game()
    handles = [f"member{number}" for number in range(members)]
    # Without a Death Match each candidate goes out at once. Half of the matches are cancelled, so that enough are left.
    steps: list[dict[str, Any]] = [
        {
            "at": seconds(number * timedelta(days=30)),
            "match": {"game": game.slug, "cancel": number % 2 == 0, "run_out": number % 2 == 1},
        }
        for number in range(matches)
    ]
    season = {
        "settings": {"opponent": "none"},
        "cast": [{"handle": handle, "garnets": 5, "blood_garnets": "10"} for handle in handles],
    }
    for number, step in enumerate(steps):
        first = number * 3 % (members - 2)
        step["match"]["players"] = handles[first : first + 3]
    play_season(read({"season": season, "steps": steps}, lambda slug: game), keep=True)
    made = Season.objects.latest("pk")
    for member in made.cast.all():
        member.is_bot, member.user = False, User.objects.create_user(f"person_{member.handle}")
        member.save()
    return made.get_absolute_url()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=60)
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--times", type=int, default=200)
    options = parser.parse_args()
    with embedded_server() as site:
        enter(site)
        path = make_season(options.members, options.matches)
        print(json.dumps({"visitor": look(path, None, options.times)}))


if __name__ == "__main__":
    main()
