"""A bot in 70 lines of plain Python. To play:  SITE=https://… TOKEN=gen_… python3 bot.py"""

import json
import os
import time
from contextlib import suppress
from datetime import datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE, TOKEN = os.environ.get("SITE", "http://127.0.0.1:8000"), os.environ.get("TOKEN", "")


def choose(public, private, now):
    """What to do at match time `now` (seconds), as the API takes it; None to wait. Make it your own."""
    for ask in private["asked"]:
        others = [each for each in ask["options"] if each != private["handle"]] or ask["options"]
        if ask["kind"] in ("name_candidate", "vote", "give_tokens"):  # the decisions after the play, in any game
            chosen = {"to": others[: ask["count"]]} if ask["kind"] == "give_tokens" else {"player": others[0]}
            return {"type": ask["kind"], **chosen}
    may = "lowest_free" in public and private["may_bid"] and not (public["phase"] == "pregame" and private["sealed"])
    mine = {bid["seat"] for bid in private["standing"]} if may else set()
    seats = [seat for row in public["board"] for seat in row if seat["seat"] not in mine] if may else []
    cheap = [seat for seat in seats if 0 < (seat["lowest_bid"] or 0) <= min(private["free"], 12)]
    best = max(cheap, key=lambda seat: (seat["garnets"], -seat["lowest_bid"]), default=None)
    return best and {"type": "bid", "seat": best["seat"], "amount": best["lowest_bid"]}


def call(path, body=None):
    """The answer of the site, with a `message` if anything is wrong. Where none comes, the same is sent again."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Idempotency-Key": os.urandom(16).hex()}
    for tries in range(8):
        asked = ""
        try:
            with urlopen(Request(f"{SITE}{path}", body and json.dumps(body).encode(), headers), timeout=20) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error, suppress(ValueError, OSError):  # a proxy does not answer in JSON
                if error.code < 500 and error.code != 429:
                    return json.load(error)
            asked = error.headers.get("Retry-After", "")  # in seconds by the site; a proxy may name an instant
        except (OSError, HTTPException, ValueError):  # not reached, cut off, or too slow
            pass
        time.sleep(int(asked) if asked.isdecimal() else 2**tries)
    return {"message": "The site does not answer."}


def turn():
    """Look at each match of yours that is running, and act once in it."""
    found, more = [], "/api/v1/me/matches/?limit=50"
    while more:
        mine = call(more)
        if "matches" not in mine:
            raise SystemExit(mine["message"])
        found, more = found + mine["matches"], mine["next"]
    for match in [each["match"] for each in found if each["match"]["status"] == "open"]:
        view = call(path := f"/api/v1/matches/{match['id']}/")
        if "match" not in view:
            print(match["title"], view["message"], flush=True)
            continue
        clock, seen = view["match"]["clock"], datetime.fromisoformat(view["now"])
        since = (seen - datetime.fromisoformat(clock["anchor_at"])).total_seconds() if clock["anchor_at"] else 0
        if action := choose(view["public"], view["private"], clock["anchor_time"] + since * clock["speed"]):
            print(match["title"], action, call(f"{path}actions/", action), flush=True)


while __name__ == "__main__":
    turn()
    time.sleep(30)
