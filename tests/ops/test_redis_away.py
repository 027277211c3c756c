"""A web process whose Redis is taken away: people sign in, play and look all the same."""

import json
import os
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.fixtures.any_game import SLUG
from tests.fixtures.redis import own_redis
from tests.ops.deployment import Deployment, deployed

pytestmark = pytest.mark.services

PASSWORD = "a long walk by the sea"


class Browser:
    """Cookies and forms, and nothing else."""

    def __init__(self, site: Deployment) -> None:
        self._url, self._cookies = site.url, CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies)).open

    def get(self, path: str) -> tuple[int, str]:
        return self._ask(path, None)

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        token = next(str(cookie.value) for cookie in self._cookies if cookie.name == "csrftoken")
        return self._ask(path, urlencode({**fields, "csrfmiddlewaretoken": token}).encode())

    def _ask(self, path: str, data: bytes | None) -> tuple[int, str]:
        try:
            with self._open(urllib.request.Request(self._url + path, data), timeout=60) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


def bid(site: Deployment, match: dict[str, Any]) -> Any:
    address = f"{site.url}/api/v1/matches/{match['id']}/"
    headers = {"Authorization": f"Bearer {match['players'][0]['token']}", "Content-Type": "application/json"}
    with urllib.request.urlopen(address) as answer:  # noqa: S310
        seat = json.load(answer)["public"]["board"][0][0]
    body = json.dumps({"type": "bid", "seat": seat["seat"], "amount": seat["lowest_bid"]}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{address}actions/", body, headers)) as answer:  # noqa: S310
        return json.load(answer)


def test_people_get_in_and_play_while_redis_is_away(tmp_path: Any) -> None:
    database_url = os.environ["DATABASE_URL"]
    with own_redis() as (redis_url, redis), deployed(tmp_path, database_url, redis_url, only_web=True) as site:
        demo = ("--game", SLUG, "--matches", "1", "--players", "3", "--yes-really")
        match = json.loads(site.manage("demo", *demo))["matches"][0]
        redis.terminate()
        redis.wait(10)

        ann = Browser(site)
        assert ann.get("/accounts/signup/")[0] == 200
        account = {"username": "ann", "email": "ann@example.org", "password1": PASSWORD}
        assert ann.post("/accounts/signup/", **account)[0] == 200
        for path in ("/", "/me/", "/profile/", "/profile/tokens/", f"/matches/{match['id']}/", "/api/v1/matches/"):
            assert ann.get(path)[0] == 200, path
        again = Browser(site)
        again.get("/accounts/login/")
        assert "Sign out" in again.post("/accounts/login/", login="ann", password=PASSWORD, next="/profile/")[1]
        assert bid(site, match)["accepted"]
    web = (tmp_path / "web.log").read_text()
    assert "redis_away" in web
