"""What hosts may not know is nowhere in the console: the seed, and what lies under seal."""

import re
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib.admin import site
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.test import Client

from matches.games.registry import all_games
from matches.models import Bid, Match, Submission, clock
from matches.services.group.queue import submit
from tests.admin.conftest import Console, browser_of, text_of
from tests.fixtures.chosen import one_in
from tests.web.test_replay import bots_moves, played

pytestmark = pytest.mark.django_db

LISTS = ("match", "submission", "ledgerentry", "holding", "announcement", "bid")


def everything(console: Console, match: Match) -> str:
    """All that the console shows of a match, as one text."""
    shown = [console.page()]
    for name in ("pause", "extend", "close", "correct", "hosts", "peek", "blood", "cancel"):
        shown.append(text_of(console.client.get(f"{console.address}/do/{name}/")))
    for step in (1, 2, 3):
        shown.append(text_of(console.client.get(f"{console.address}/preview/?step={step}")))
    for model in LISTS:
        answer = console.client.get(f"/admin/matches/{model}/" + (f"?match={match.pk}" if model != "match" else ""))
        assert answer.status_code == 200
        shown.append(text_of(answer))
    return "\n".join(shown)


@pytest.fixture
def sealed(running: Match, players: list[Any]) -> Match:
    """ann has bid under seal, bob was refused."""
    assert submit(running.pk, players[0].pk, {"type": "bid", "seat": "W", "amount": 17}).accepted
    assert not submit(running.pk, players[1].pk, {"type": "bid", "seat": "W", "amount": 777}).accepted
    return running


def test_neither_the_seed_nor_what_is_under_seal_is_anywhere(console: Console, sealed: Match) -> None:
    text = everything(console, sealed)
    assert sealed.seed not in text
    assert sealed.seed_hash in text
    for row in Submission.objects.filter(kind=Submission.Kind.ACTION):
        assert row.payload not in text
        assert row.salt not in text
        assert row.receipt_hash not in text
        if row.code:
            assert row.code not in text
            assert row.message not in text
    assert '"amount":' not in text
    assert '"seat"' not in text


def test_two_matches_that_differ_under_seal_look_the_same(console: Console, running: Match, players: list[Any]) -> None:
    def looks(seat: str, amount: int) -> str:
        with transaction.atomic():
            assert submit(running.pk, players[0].pk, {"type": "bid", "seat": seat, "amount": amount}).accepted
            shown = masked(everything(console, running))
            transaction.set_rollback(True)
        return shown

    assert looks("W", 17) == looks("O", 3)


def masked(text: str) -> str:
    """Without what is different at every look: tokens against forgery, one-time keys, the chain's hashes."""
    text = re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", text)
    return re.sub(r"\b[0-9a-f]{64}\b", "hash", text)


def test_an_address_cannot_ask_for_secrets_letter_by_letter(console: Console, sealed: Match) -> None:
    queries = (
        "seed__startswith=a",
        "seed=abc",
        "state__contains=17",
        "match__seed__startswith=a",
        "player__match__seed__startswith=a",
        "payload__contains=17",
        "amount__gt=3",
        "lot=W",
        "config__contains=x",
        "log_head__startswith=a",
        "players__submissions__payload__contains=17",
        "roles__user__password__startswith=a",
        "salt=1",
        "data__amount=3",
    )
    for model in LISTS:
        for query in queries:
            assert console.client.get(f"/admin/matches/{model}/?{query}").status_code == 400, (model, query)


def test_djangos_own_history_keeps_nothing_of_a_match(console: Console, sealed: Match) -> None:
    console.do("pause", reason="r")
    assert not LogEntry.objects.exists()


def test_what_players_were_told_alone_stays_theirs_until_the_end(console: Console, sealed: Match, later: Any) -> None:
    later(hours=24)
    private = sealed.announcements.exclude(player=None)
    page = text_of(console.client.get(f"/admin/matches/announcement/?match={sealed.pk}"))
    assert page.count("Told privately; hidden from hosts") == private.count()


def test_what_became_of_a_sealed_bid_is_in_no_list(console: Console, sealed: Match) -> None:
    """Some rules book sealed bids round by round, long before they are opened."""
    player, row = sealed.players.order_by("pk")[0], sealed.log.latest("number")
    pages = []
    for lot, amount, status in (("W", 3, Bid.Status.WON), ("O", 8, Bid.Status.RETURNED)):
        with transaction.atomic():
            Bid.objects.create(
                match=sealed,
                player=player,
                lot=lot,
                asset="chip",
                amount=amount,
                status=status,
                public=False,
                placed_by=row,
                placed_at=row.received_at,
                placed_time=row.match_time,
            )
            pages.append(masked(text_of(console.client.get(f"/admin/matches/bid/?match={sealed.pk}"))))
            transaction.set_rollback(True)
    assert "sealed" in pages[0]
    assert pages[0] == pages[1]


# -- balances that players keep to themselves ------------------------------------------------------------


def test_two_matches_that_differ_in_private_balances_look_the_same(
    console: Console, running: Match, players: list[Any]
) -> None:
    def looks(count: int) -> str:
        with transaction.atomic():
            assert submit(running.pk, players[0].pk, {"type": "buy_chips", "count": count}).accepted
            shown = masked(everything(console, running))
            shown += masked(console.ask("correct", player=ann.pk, asset="garnet", amount="1", reason="r"))
            transaction.set_rollback(True)
        return shown

    ann = running.players.get(handle="ann")
    assert looks(1) == looks(2)


def test_a_look_at_balances_shows_them_once_and_is_logged(console: Console, running: Match, players: list[Any]) -> None:
    assert submit(running.pk, players[0].pk, {"type": "buy_chips", "count": 2}).accepted
    ann = running.players.get(handle="ann")
    asked = console.ask("peek", player=ann.pk, what="balances", reason="She asks for a receipt.")
    assert "You will see ann's balances" in asked
    assert "Everybody sees at once that you looked" in asked
    page = console.do("peek", player=ann.pk, what="balances", reason="She asks for a receipt.")
    assert "<li>3 garnets</li>" in page
    assert "<li>22 chips</li>" in page
    assert "− 2 garnets" in page
    assert "Looked at the balances of ann: She asks for a receipt." in console.page()
    assert "22 chips" not in text_of(console.client.get(f"/admin/matches/holding/?match={running.pk}"))


def test_no_column_of_any_model_is_read_letter_by_letter(admin_client: Client) -> None:
    """Of every model; whole lists are asked for by a third of the fields, in each run another."""
    for model, model_admin in site._registry.items():
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert admin_client.get(address).status_code == 200
        assert model not in (UserSession, SocialAccount, SocialToken)
        for field in model._meta.get_fields():
            for ending in ("startswith", "gt", "regex"):
                assert not model_admin.lookup_allowed(f"{field.name}__{ending}", "a", None), (model, field, ending)
        for field in one_in(3, model._meta.get_fields()):
            assert admin_client.get(address, {f"{field.name}__gt": "a"}).status_code == 400, (model, field)


@pytest.mark.parametrize("slug", ["together_we_survive", "the_mvp", "hosts_match"])
def test_after_the_match_hosts_read_no_votes(present: clock.FixedTime, slug: str) -> None:
    game = all_games()[slug]
    match = played(game, present, [move for move in bots_moves(game, 60) if move[2]["type"] != "vote"])
    host = match.hosts.get()
    type(host).objects.filter(pk=host.pk).update(is_staff=True, is_superuser=True)
    text = "".join(text_of(browser_of(host).get(f"/admin/matches/{model}/?match={match.pk}")) for model in LISTS[1:])
    assert re.findall("vote ?[ab]?: |it went to|field-asset[^>]*>token", text) == []
    assert ("answer: answers" in text) == (slug == "hosts_match")
