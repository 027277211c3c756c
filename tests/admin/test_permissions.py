"""What the matrix of tests/access does not ask in the admin: each command, observers, what lists hold, and books."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver

from matches.admin.commands import COMMANDS
from matches.models import Announcement, Bid, Holding, LedgerEntry, Match, Player, Submission
from matches.services import hosting
from matches.services.group.queue import submit
from tests.admin.conftest import Console, browser_of, person, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("error_pages_once")]

SIGN_IN = "302 sign-in"
INDEX = "302 index"
"""Django's answer for a row that is not there; ours is the same for one that is another's."""
BACK = "302 back"

RECORDS = {"submission": Submission, "ledgerentry": LedgerEntry, "announcement": Announcement, "bid": Bid}
LISTS = ("match", "holding", *RECORDS)


def routes(resolver: Any = None) -> list[tuple[str | None, str]]:
    """Name and pattern of every address of the admin."""
    found: list[tuple[str | None, str]] = []
    for pattern in resolver if resolver is not None else admin.site.get_urls():
        if isinstance(pattern, URLResolver):
            found += routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            found.append((pattern.name, str(pattern.pattern)))
    return found


@pytest.fixture
def cast(console: Console, running: Match, players: list[Any], other_host: Any, boss: Any) -> dict[str, Client]:
    submit(running.pk, players[0].pk, {"type": "bid", "seat": "W", "amount": 17})
    playing = person("petra", staff=True)
    playing_boss = type(boss).objects.create_superuser("bella", "bella@example.org", "secret")
    Player.objects.filter(match=running, handle="bob").update(user=playing)
    Player.objects.filter(match=running, handle="cat").update(user=playing_boss)
    running.roles.create(user=playing, role="cohost")  # as if somebody had gone round the services
    running.roles.create(user=playing_boss, role="cohost")
    staff_without_group = person("stan")
    staff_without_group.is_staff = True
    staff_without_group.save()
    return {
        "anonymous": Client(),
        "player": browser_of(players[0]),
        "staff outside the group": browser_of(staff_without_group),
        "other host": browser_of(other_host),
        "host who plays": browser_of(playing),
        "superuser who plays": browser_of(playing_boss),
        "host": console.client,
        "superuser": _who_has_opened(running, browser_of(boss)),
    }


def _who_has_opened(match: Match, client: Client) -> Client:
    """Rows of a match are listed for superusers once they have opened its console."""
    client.get(f"/admin/matches/match/{match.pk}/change/")
    return client


STRANGERS = ("other host", "host who plays", "superuser who plays")
HOSTS = ("host", "superuser")


def got(client: Client, address: str, method: str = "get") -> Any:
    answer = getattr(client, method)(address)
    if answer.status_code == 302:
        if "login" in answer.url:
            return SIGN_IN
        return INDEX if answer.url == "/admin/" else BACK
    return answer.status_code


def test_no_command_of_a_match_is_there_for_anybody_else(cast: dict[str, Client], running: Match) -> None:
    """Of all other addresses tests/access/test_matrix.py says who gets what."""
    for address in (f"/admin/matches/match/{running.pk}/do/{command}/" for command in COMMANDS):
        for method in ("get", "post"):
            for role in ("anonymous", "player"):
                assert got(cast[role], address, method) == SIGN_IN
            assert got(cast["staff outside the group"], address, method) in (403, 404)
            for role in STRANGERS:
                assert got(cast[role], address, method) == 404, (role, address, method)


def test_whatever_an_observer_sends_is_refused(cast: dict[str, Client], running: Match, host: Any) -> None:
    """Every address of a match, also those that are added later."""
    watching = person("wanda", staff=True)
    hosting.set_roles(running, host, [host], observers=[watching])
    observer, rows, refused = browser_of(watching), running.log.count(), []
    ours = [(str(name), pattern) for name, pattern in routes() if str(name).startswith("matches_match_")]
    patterns = [pattern for _, pattern in ours if pattern.startswith("<path:object_id>/")]
    names = {"<path:object_id>": str(running.pk), "<slug:name>": "pause", "<int:number>": "1"}
    for pattern in patterns:
        address = pattern
        for part, value in names.items():
            address = address.replace(part, value)
        assert "<" not in address, f"fill in {pattern} here"
        sent = observer.post(f"/admin/matches/match/{address}", {"_confirm": "1", "reason": "r"})
        assert sent.status_code in (403, 404), address
        refused += [address] if sent.status_code == 403 else []
    assert len(refused) > 8, refused
    assert running.log.count() == rows


def test_lists_hold_the_hosted_matches_alone(cast: dict[str, Client], running: Match) -> None:
    for model in LISTS:
        _holds_the_hosted_matches_alone(model, cast, running)


def _holds_the_hosted_matches_alone(model: str, cast: dict[str, Client], running: Match) -> None:
    address = f"/admin/matches/{model}/"
    assert got(cast["anonymous"], address) == SIGN_IN
    assert got(cast["player"], address) == SIGN_IN
    assert got(cast["staff outside the group"], address) == 403
    for role in STRANGERS:
        queries = ("", "?q=ann", "?q=Night") if model == "match" else ("", f"?match={running.pk}", "?q=ann")
        for query in queries:
            answer = cast[role].get(address + query)
            assert answer.status_code == 200
            assert running.title not in text_of(answer), (role, address, query)
    for role in HOSTS:
        answer = cast[role].get(address)
        assert answer.status_code == 200
        assert running.title in text_of(answer), (role, address)


def test_books_are_read_by_hosts_alone_and_written_by_nobody(
    cast: dict[str, Client], running: Match, players: list[Any], later: Any
) -> None:
    later(hours=24)  # the sealed bid stands: there is a row in every book
    for model, rows in {**RECORDS, "holding": Holding}.items():
        _is_read_by_hosts_alone(model, rows.objects.latest("pk"), cast)


def _is_read_by_hosts_alone(model: str, row: Any, cast: dict[str, Client]) -> None:
    before = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    base = f"/admin/matches/{model}/{row.pk}"
    for role in STRANGERS:
        assert got(cast[role], f"{base}/delete/") in (INDEX, 403)
        assert got(cast[role], f"{base}/history/") == 404
    for role in HOSTS:
        assert got(cast[role], f"{base}/change/") == 404
        assert got(cast[role], f"{base}/change/", "post") == 404
        assert got(cast[role], f"{base}/delete/") == 403
        assert got(cast[role], f"{base}/delete/", "post") == 403
        assert got(cast[role], f"{base}/history/") == 404
        assert got(cast[role], f"/admin/matches/{model}/add/") == 403
        everything = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
        cast[role].post(f"/admin/matches/{model}/", everything)
    row.refresh_from_db()
    assert {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields} == before


def test_matches_cannot_be_deleted_in_bulk_or_one_by_one(cast: dict[str, Client], running: Match) -> None:
    for role in HOSTS:
        data = {"action": "delete_selected", "_selected_action": running.pk, "post": "yes"}
        cast[role].post("/admin/matches/match/", data)
        assert got(cast[role], f"/admin/matches/match/{running.pk}/delete/", "post") == 403
    assert Match.objects.filter(pk=running.pk).exists()
