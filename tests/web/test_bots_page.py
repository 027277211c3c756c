"""The page that teaches programs to play."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve, reverse

from matches.api.samples import sample_of
from matches.engine.actions import decode_action
from matches.games.registry import all_games
from tests.architecture.files import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client) -> str:
    return unescape(client.get("/bots/").content.decode())


def test_it_names_every_action_and_refusal_of_every_game(page: str) -> None:
    for game in all_games().values():
        assert game.title in page
        for word in (*game.actions, *game.refusals):
            assert f"<code>{word}</code>" in page, (game.slug, word)


def test_the_body_under_each_action_is_one_that_its_game_can_read(page: str) -> None:
    for game in all_games().values():
        for name, kind in game.actions.items():
            body = sample_of(kind)
            assert f"<code>{body}</code>" in page, (game.slug, name)
            assert isinstance(decode_action(game.actions, json.loads(body)), kind)
            assert "{}" not in body, "what belongs there is not shown"
        for view in (game.public_type, game.private_type):
            assert " ".join((view.__doc__ or "?").split()) in page, view


def test_every_address_in_its_commands_is_there(page: str) -> None:
    commands = "\n".join(re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.S))
    found = set(re.findall(r"\$SITE(/[^\s\"?]*)", commands))
    assert {"/api/v1/me/", "/api/v1/matches/$MATCH/actions/"} <= found
    for path in found:
        assert resolve(path.replace("$MATCH", "x")).func.__name__ != "nothing_here", path


def test_the_bot_can_be_taken_home(client: Client, page: str) -> None:
    text = (ROOT / "examples" / "bot.py").read_text()
    answer = client.get(reverse("matches:example_bot"))
    assert answer.content.decode() == text
    assert "attachment" in answer.headers["Content-Disposition"]
    assert text in page
    assert len(text.splitlines()) <= 60


def test_it_is_linked_from_the_foot_and_from_the_tokens(client: Client, django_user_model: Any) -> None:
    client.force_login(django_user_model.objects.create_user("ann", "ann@example.org", None))
    assert client.get("/").content.decode().count('href="/bots/"') == 1
    assert client.get("/profile/tokens/").content.decode().count('href="/bots/"') == 2


def test_it_says_that_a_practice_match_is_not_among_your_matches(
    client: Client, page: str, django_user_model: Any
) -> None:
    client.force_login(django_user_model.objects.create_user("ann", "ann@example.org", None))
    game = next(iter(all_games()))
    assert client.post(f"/games/{game}/practice/", {"do": "begin"}).status_code == 302
    assert client.get("/api/v1/me/matches/").json()["matches"] == []
    assert "A practice match is for its one person, and no program sees it" in " ".join(page.split())
