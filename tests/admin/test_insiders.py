"""Who opens the console of a match can never play in it, and is told so; looking at the lists does not count."""

from typing import Any

import pytest

from matches.models import Match
from matches.services.errors import CommandRefused
from matches.services.joining import add_player
from tests.admin.conftest import browser_of, text_of

LISTS = ("match", "submission", "ledgerentry", "holding", "announcement", "bid")


@pytest.mark.parametrize("page", ["change", "preview", "settings", "do/publish"])
def test_a_superuser_who_opens_a_page_of_the_console_never_plays(draft: Match, boss: Any, page: str) -> None:
    assert browser_of(boss).get(f"/admin/matches/match/{draft.pk}/{page}/").status_code == 200
    with pytest.raises(CommandRefused, match="seen its settings, and can never play"):
        add_player(draft, user=boss)


def test_the_lists_tell_a_superuser_nothing_of_matches_that_they_have_not_opened(running: Match, boss: Any) -> None:
    client = browser_of(boss)
    for model in LISTS:
        page = text_of(client.get(f"/admin/matches/{model}/"))
        assert (running.title in page) == (model == "match"), model
    assert "you can never play in it" in text_of(client.get("/admin/matches/match/"))
    assert not running.insiders.filter(user=boss).exists()
    client.get(f"/admin/matches/match/{running.pk}/change/")
    assert running.title in text_of(client.get("/admin/matches/submission/"))


def test_the_match_page_shows_a_superuser_what_hosts_see_once_they_have_opened_the_console(
    running: Match, boss: Any
) -> None:
    client = browser_of(boss)
    page = text_of(client.get(running.get_absolute_url()))
    assert "you can never play in it" in page
    assert "not yet" not in page
    client.get(f"/admin/matches/match/{running.pk}/change/")
    page = text_of(client.get(running.get_absolute_url()))
    assert "you can never play in it" not in page
    assert "not yet" in page
