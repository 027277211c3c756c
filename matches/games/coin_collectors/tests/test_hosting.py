"""Hosts set a match up and amend it while it runs, through the console's forms."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.tests.at_table import AtTable
from matches.models import Match, clock
from tests.admin.conftest import browser_of, person, text_of
from tests.fixtures.present import START

pytestmark = pytest.mark.django_db
ADD = "/admin/matches/match/add/"
FACTS = {"game": GAME.slug, "title": "Cabinet", "description": "", "joining": "invited", "places": "7"}
FACTS |= {"open_places": "wait"}


@pytest.fixture
def host(present: clock.FixedTime) -> Client:
    return browser_of(person("hanna", staff=True))


def inputs_of(page: str) -> dict[str, str]:
    """What a browser would send of a form: every text field, hidden or not, and the boxes that are ticked."""
    found = dict(re.findall(r'<input type="(?:text|hidden)"[^>]* name="(config-[^"]+)" value="([^"]*)"', page))
    found |= dict(re.findall(r'<textarea[^>]* name="(config-[^"]+)"[^>]*>([^<]*)<', page))
    ticked = re.findall(r'<input type="checkbox" value="(1)"[^>]* name="(config-[^"]+)" checked', page)
    return found | {name: value for value, name in ticked}


def form_of(host: Client, url: str = f"{ADD}?game={GAME.slug}") -> dict[str, str]:
    return inputs_of(text_of(host.get(url)))


def create(host: Client, **typed: str) -> Match:
    config = {f"config-{key}": text for key, text in typed.items()}
    answer = host.post(ADD, {**FACTS, **form_of(host), **config, "_save": "Save"})
    assert answer.status_code == 302, text_of(answer)
    return Match.objects.get(title="Cabinet")


def faults(page: str, field: str) -> str:
    """What is told at an input, found by the input's own tie to it."""
    found = re.search(rf'name="config-{field}"[^>]* aria-describedby="([^"]+)"', page)
    assert found is not None, f"nothing is wrong with {field}"
    said = re.search(rf'id="{found[1]}">.*?<span>(.*?)</span>', page, re.DOTALL)
    assert said is not None
    return said[1]


# -- a new match -------------------------------------------------------------------------------------


def test_the_form_shows_the_usual_rounds_and_keeps_nothing_of_them(host: Client) -> None:
    form = form_of(host)
    assert form["config-rounds-0-0-name"] == "Bakery"
    assert form["config-rounds-4-4-name"] == "Royal vault"
    assert create(host).config == {}


def test_a_round_and_an_auction_are_added_by_filling_in_the_empty_ones(host: Client) -> None:
    match = create(host, **{"rounds-0-3-name": "Mint house", "rounds-0-3-gold": "4", "rounds-5-0-name": "Last stand"})
    rounds = GAME.read_config(match.config).rounds
    assert [auction.name for auction in rounds[0].auctions] == ["Bakery", "Smithy", "Fishmarket", "Mint house"]
    assert rounds[0].auctions[3].prize.gold == 4
    assert (rounds[5].names, rounds[5].auction_limit) == (("Last stand",), 2)


def test_rounds_and_auctions_are_taken_out(host: Client) -> None:
    match = create(host, **{"rounds-0-1-gone": "1", "rounds-4-gone": "1"})
    rounds = GAME.read_config(match.config).rounds
    assert len(rounds) == 4
    assert rounds[0].names == ("Bakery", "Fishmarket")


def test_a_match_keeps_at_least_one_round(host: Client) -> None:
    gone = {f"config-rounds-{number}-gone": "1" for number in range(5)}
    page = text_of(host.post(ADD, {**FACTS, **form_of(host), **gone, "_save": "Save"}))
    assert "Expected 1 to 50 rounds." in page
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("rounds-1-0-gold", "lots", "Enter a whole number from 0 to 1000000."),
        ("rounds-1-0-name", "Smithy", 'There is another auction called "Smithy"'),
        ("rounds-2-bid_limit", "-1", "Enter a whole number from 0 to 1000000."),
        ("rounds-5-0-spyglass", "1", None),
        ("start-gold", "1.5", "Enter a whole number from 0 to 1000000."),
        ("items-alchemy-name", "x" * 41, "Expected at most 40 letters."),
    ],
)
def test_what_is_wrong_is_told_at_the_very_input(host: Client, field: str, typed: str, said: str | None) -> None:
    page = text_of(host.post(ADD, {**FACTS, **form_of(host), f"config-{field}": typed, "_save": "Save"}))
    if said is None:  # a prize without a name: told at the name
        assert faults(page, "rounds-5-0-name").endswith("Give this auction a name, or empty its row.")
    else:
        assert said in faults(page, field)
    assert f'name="config-{field}" value="{typed}"' in page
    assert not Match.objects.exists()
    opened = re.findall(r'id="id_config-rounds-round-(\d)" open', page)
    assert opened == ([str(int(field.split("-")[1]) + 1)] if field.startswith("rounds") else [])


def test_updating_the_form_keeps_what_is_typed_and_gives_one_more(host: Client) -> None:
    typed = {"config-rounds-0-3-name": "Mint house", "config-rounds-0-3-gold": "x", "_update": "1"}
    page = text_of(host.post(ADD, {**FACTS, "title": "", **form_of(host), **typed}))
    assert 'name="config-rounds-0-3-gold" value="x"' in page
    assert 'name="config-rounds-0-4-name" value=""' in page
    assert "field__error" not in page


def test_items_are_renamed_and_left_out_and_the_usual_rounds_go_without(host: Client) -> None:
    match = create(host, **{"items-wide_net-name": "Trawl", "items-spyglass-out": "1"})
    config = GAME.read_config(match.config)
    assert set(match.config) == {"items"}
    assert (config.words("wide_net").name, config.items["spyglass"]) == ("Trawl", None)
    assert not any(auction.prize.items.spyglass for each in config.rounds for auction in each.auctions)
    page = text_of(host.get(f"/admin/matches/match/{match.pk}/settings/"))
    assert "<span>Trawl</span>" in page
    assert "config-rounds-1-2-spyglass" not in page


def test_a_prize_with_an_item_that_is_left_out_is_refused_at_its_input(host: Client) -> None:
    typed = {"config-items-spyglass-out": "1", "config-rounds-0-0-spyglass": "2"}
    page = text_of(host.post(ADD, {**FACTS, **form_of(host), **typed, "_save": "Save"}))
    assert "left out of the match" in faults(page, "rounds-0-0-spyglass")


def test_stored_settings_go_round_unchanged_and_the_way_back_is_there(host: Client) -> None:
    match = create(
        host,
        **{
            "rounds-0-0-gold": "7",
            "start-gold": "3",
            "items-insurance-name": "Policy",
            "items-insurance-description": "Pays.",
        },
    )
    before, settings = match.config, f"/admin/matches/match/{match.pk}/settings/"
    assert host.post(settings, {**FACTS, **form_of(host, settings), "_save": "Save"}).status_code == 302
    match.refresh_from_db()
    assert match.config == before
    assert match.config["start"] == {"gold": 3, "silver": 1, "bronze": 1}
    back = {"config-rounds-back": "1"}
    assert host.post(settings, {**FACTS, **form_of(host, settings), **back, "_save": "Save"}).status_code == 302
    match.refresh_from_db()
    assert "rounds" not in match.config


def test_what_is_typed_can_be_looked_at_as_players_will_see_it(host: Client) -> None:
    typed = {**FACTS, **form_of(host), "config-rounds-0-0-name": "Lantern room"}
    page = text_of(host.post(ADD, {**typed, "_preview": "2"}))
    assert "Lantern room" in page
    assert "bid on up to 2 auctions" in page
    assert not Match.objects.exists()


# -- a match that runs -------------------------------------------------------------------------------


class Running:
    """Round 1 of a match runs, and its host looks at the form that amends it."""

    def __init__(self, present: clock.FixedTime) -> None:
        self.table = AtTable(present)
        dora = self.table.users["dora"]
        dora.is_staff = dora.is_superuser = True
        dora.save()
        present.instant = START + timedelta(hours=25)
        self.host = browser_of(dora)
        self.url = f"/admin/matches/match/{self.table.pk}/amend/"

    def page(self) -> str:
        return text_of(self.host.get(self.url))

    def send(self, **more: str) -> str:
        data = {**inputs_of(self.page()), **{f"config-rounds-{key}": text for key, text in more.items()}}
        asked = self.host.post(self.url, {**data, "reason": "More to win"})
        page = text_of(asked)
        key = re.search(r'name="key" value="([^"]+)"', page)
        if "What will happen" not in page or key is None:
            return page
        answer = self.host.post(
            self.url, {**data, "reason": "More to win", "key": key[1], "_confirm": "1"}, follow=True
        )
        return text_of(answer)

    @property
    def rounds(self) -> Any:
        match = self.table.match
        return GAME.decode_state(match.state).config.rounds


@pytest.fixture
def running(present: clock.FixedTime) -> Running:
    return Running(present)


def test_a_later_round_gets_an_auction_and_another_follows(running: Running) -> None:
    before = Client().get(running.table.url).content.count(b"Round")
    assert "The settings are amended." in running.send(**{"1-1-name": "Reef", "1-1-gold": "2", "3-0-name": "Island"})
    assert [each.names[-1] for each in running.rounds] == ["Treasury", "Reef", "Sunken galleon", "Island"]
    page = Client().get(running.table.url).content.decode()
    assert "Reef" not in page
    assert "Island" not in page
    assert page.count("Round") > before  # that there is a fourth round is public


def test_rounds_that_have_started_can_only_be_looked_at(running: Running) -> None:
    page = running.page()
    first = page[page.index("config-rounds-round-1") : page.index("config-rounds-round-2")]
    assert "has started" in first
    assert first.count("readonly") == first.count('<input type="text"') > 10
    assert "config-rounds-0-gone" not in page
    assert "config-rounds-1-gone" in page


def test_changing_one_that_has_started_is_refused_in_words(running: Running) -> None:
    page = running.send(**{"0-0-gold": "9"})
    assert "Round 1 has started, so it must stay as it is." in page
    assert running.rounds[0].auctions[0].prize.gold == 0
