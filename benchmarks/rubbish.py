"""Rubbish at every address of a running site, and on its sockets: `python -m benchmarks.rubbish`.

Requests of visitors, strangers, players and hosts, most of them with what is needed to reach the site's own code
(a session, a token of the form, a token of the API), to the addresses of the URL conf; some are no HTTP at all. Then
frames on sockets. No answer may be a 5xx, no socket may end with 1011, and nothing of any match or person may differ
afterwards. The embedded server, on SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from typing import Any
from urllib.parse import quote, urlencode

from benchmarks.inside import enter
from benchmarks.rubbish_frames import send_frames
from benchmarks.site import Site, embedded_server

_LINES = 8
_PATIENCE = 300.0
_NO_HTTP = (
    *(
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
    ),
    *(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    *(b"POST /me/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"A" * 70_000),
    *(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n: x\r\n\r\n", b"GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
)
_JSON: tuple[Any, ...] = (
    *("", "x", "\0", "\ud800", "Z", "ann", "bid", "A" * 3000),
    *(-1, 10**40, 1.5, True, None, [], {}, [[[]]]),
)


class Made:
    """What there is on the site, and everybody who may come; made in the site's own database."""

    def __init__(self) -> None:
        from accounts.models import ApiToken
        from tests.access import rubbish
        from tests.access.cast import ROLES, Cast
        from tests.access.routes import address, all_routes

        self.words, cast = rubbish, Cast()
        # Where next to anything is valid: a token in the address, a form of boxes that may all be empty, a new draft.
        left_out = (*rubbish.LEFT_OUT, "revoke", "talk/choices", "season/add")
        routes = [each for each in all_routes() if not any(word in each for word in left_out)]
        statuses = ("draft", "open", "finished")
        self.paths = [(route, address(route, cast, status)) for route in routes for status in statuses]
        self.ids = [each.public_id for each in cast.matches.values()]
        self.shown = [cast.matches[status].public_id for status in ("open", "finished")]
        self.sessions, self.tokens = {"visitor": ""}, {"visitor": ""}
        for role in ROLES[1:]:
            browser = cast.browser(role)
            self.sessions[role] = browser.cookies["sessionid"].value
            self.tokens[role] = ApiToken.issue(cast.people[role], "rubbish")[1]


class Requests:
    """Makes one request after the other by chance; each is a route's name and the bytes."""

    def __init__(self, made: Made, port: int, seed: int) -> None:
        self._made, self._port, self._chance = made, port, random.Random(seed)

    def next(self) -> tuple[str, bytes]:
        chance = self._chance
        if chance.random() < 0.02:
            return "no HTTP", chance.choice(_NO_HTTP)
        route, path = chance.choice(self._made.paths)
        if chance.random() < 0.3:
            for known in self._made.ids:
                path = path.replace(known, quote(self._text(), safe=""))
        path = quote(path, safe="/%:@!$&'()*+,;=~-._")
        if count := chance.choice((0, 0, 1, 3)):
            query = [(chance.choice(self._made.words.PARAMETERS), self._text()) for _ in range(count)]
            path += "?" + urlencode(query)
        role = chance.choice(list(self._made.sessions))
        headers = self._headers(role, path)
        method, body = "GET", b""
        if chance.random() < 0.6:
            method, (body, kind) = chance.choice(("POST", "POST", "POST", "PUT", "PATCH", "DELETE")), self._body(path)
            headers["Content-Type"] = kind
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return route, "\r\n".join([*lines, "", ""]).encode("latin1", "replace") + body

    def _text(self) -> str:
        words, chance = self._made.words, self._chance
        if chance.random() < 0.7:
            return str(chance.choice(words.NASTY))
        return "".join(
            chr(chance.choice((chance.randrange(1, 256), chance.randrange(0xE000, 0x11000)))) for _ in range(9)
        )

    def _headers(self, role: str, path: str) -> dict[str, str]:
        made, chance, csrf = self._made, self._chance, "c" * 32
        found = {
            "X-Forwarded-For": f"10.{chance.randrange(256)}.{chance.randrange(256)}.1",
            "X-Forwarded-Proto": "http",
        }
        for name in chance.sample(made.words.HEADERS, chance.choice((0, 0, 1, 2))):
            found[name] = chance.choice(
                ("", "x", "http://[", "//evil", "bytes=9-", "Bearer gen_x", "é", "a b", "A" * 300)
            )
        if path.startswith("/api/"):
            if chance.random() < 0.9:
                found["Authorization"] = f"Bearer {made.tokens[role]}"
        elif chance.random() < 0.9:  # as a page of ours sends it
            found |= {"Cookie": f"sessionid={made.sessions[role]}; csrftoken={csrf}", "X-CSRFToken": csrf}
            found["Referer"] = f"http://127.0.0.1:{self._port}/"
        return found

    def _body(self, path: str) -> tuple[bytes, str]:
        words, chance = self._made.words, self._chance
        if chance.random() < 0.3:
            return chance.choice(words.BODIES), chance.choice(words.TYPES)
        names = chance.sample(words.FIELDS, chance.randrange(9))
        if path.startswith("/api/"):
            return json.dumps({name: chance.choice(_JSON) for name in names}).encode(), "application/json"
        form = urlencode([(name, self._text()) for name in names])
        return form.encode("utf-8", "replace"), "application/x-www-form-urlencoded"


class Line:
    """A kept-alive connection, which is opened again when the site has closed it."""

    def __init__(self, port: int) -> None:
        self._port, self._streams = port, None  # type: int, Any

    async def ask(self, data: bytes) -> int:
        """The status of the answer; 0 where the connection was closed without any."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**21)
        reader, writer = self._streams
        try:
            writer.write(data)
            status, is_last = await asyncio.wait_for(self._read(reader), _PATIENCE)
        except (OSError, EOFError):
            status, is_last = 0, True
        if is_last:
            writer.transport.abort()
            self._streams = None
        return status

    @staticmethod
    async def _read(reader: asyncio.StreamReader) -> tuple[int, bool]:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head[9:12])
        if b"transfer-encoding: chunked" in head:
            while size := int(await reader.readuntil(b"\r\n"), 16):
                await reader.readexactly(size + 2)
            await reader.readexactly(2)
        elif b"content-length:" in head:
            await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
        elif status not in (204, 304):
            await reader.read()  # up to the end of the connection
            return status, True
        return status, b"connection: close" in head


def what_matters() -> dict[str, dict[int, Any]]:
    """All that no rubbish may change: matches with their play and books, seasons, people, and who may act for them."""
    from accounts.models import ApiToken, User
    from matches.models import Holding, LedgerEntry, Match, Player, Submission
    from seasons.models import Season, SeasonRow

    def rows(chosen: Any, *names: str) -> dict[int, Any]:
        return {pk: values for pk, *values in chosen.values_list("pk", *names)}

    return {
        "matches": rows(Match.objects, "status", "state", "config", "title", "seed", "next_deadline_at"),
        "people": rows(User.objects, "username", "email", "password", "is_staff", "is_superuser", "is_active"),
        "log": rows(Submission.objects.filter(accepted=True), "actor", "payload"),
        "ledger": rows(LedgerEntry.objects, "amount"),
        "holdings": rows(Holding.objects, "amount"),
        "players": rows(Player.objects, "handle", "user_id", "name"),
        "seasons": rows(Season.objects, "status", "state"),
        "seasons' log": rows(SeasonRow.objects, "kind", "payload"),
        "tokens": rows(ApiToken.objects.filter(revoked_at=None)),
    }


async def send_requests(site: Site, made: Made, options: argparse.Namespace) -> dict[str, Any]:
    """What the answers were, what failed, and the most memory that was used."""
    requests, answers, failed = Requests(made, site.port, options.seed), Counter[int](), Counter[str]()
    routes, memory, left = set[str](), [site.resident_kib()], iter(range(options.requests))

    async def send() -> None:
        line = Line(site.port)
        for number in left:
            route, data = requests.next()
            status = await line.ask(data)
            answers[status] += 1
            routes.add(route)
            if (status >= 500 and route != "healthz") or (not status and route != "no HTTP"):
                failed[f"{status} {route}"] += 1
                print(status, data[:1500], flush=True)
            if number % 1000 == 0:
                memory.append(site.resident_kib())
                print(json.dumps({"sent": number, "mib": memory[-1] // 1024}), flush=True)

    await asyncio.gather(*(send() for _ in range(_LINES)))
    kinds = {f"{each}xx": sum(n for status, n in answers.items() if status // 100 == each) for each in range(2, 6)}
    return {
        "requests": answers.total(),
        "routes": len(routes),
        **kinds,
        "hung_up_on_what_is_no_http": answers[0],
        **{name: answers[status] for name, status in (("404", 404), ("403", 403), ("429", 429))},
        "failed": dict(failed),
        "mib_first_and_most": [memory[1] // 1024, max(memory) // 1024],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    more = {"SECURE_PROXY": "1", "SOCKETS_PER_ADDRESS": "100000", "OUTAGE_MINUTES": "0"}
    with embedded_server(pinned=False, **more) as site:
        enter(site)
        from matches.models import Match
        from matches.services.replay import verify

        # The finished match was played ahead of the clock, so refused actions of today are out of place in its log.
        verified = Match.objects.exclude(status="finished")

        made = Made()
        before = what_matters()
        found = asyncio.run(send_requests(site, made, options))
        print(json.dumps(found), flush=True)
        print(json.dumps(asyncio.run(send_frames(site, made.shown, options.frames, options.seed))), flush=True)
        after = what_matters()
        changed = {
            what: [str(found)[:300] for pk, found in rows.items() if before[what].get(pk) != found]
            for what, rows in after.items()
            if rows != before[what]
        }
        wrong = [sentence for match in verified for sentence in verify(match)]
        print(json.dumps({"changed": changed, "verify": wrong, "mib_at_the_end": site.resident_kib() // 1024}))


if __name__ == "__main__":
    main()
