"""Hosts set a match up and amend it while it runs, through the console's forms."""

import re

import pytest
from django.test import Client

from matches.games.coin_collectors import GAME
from matches.models import Match, clock
from tests.admin.conftest import browser_of, person, text_of

pytestmark = pytest.mark.django_db
ADD = "/admin/matches/match/add/"
FACTS = {"game": GAME.slug, "title": "Cabinet", "description": "", "joining": "invited", "places": "7"}
FACTS |= {"open_places": "wait"}


@pytest.fixture
def host(present: clock.FixedTime) -> Client:
    return browser_of(person("hanna", staff=True))


def inputs_of(page: str) -> dict[str, str]:
    """What a browser would send of a form: every text field, hidden or not, and the boxes that are ticked."""
    inputs = [
        dict(re.findall(r'([\w-]+)="([^"]*)"', each)) | {"all": each} for each in re.findall("<input [^>]*>", page)
    ]
    mine = [each for each in inputs if each.get("name", "").startswith("config-")]
    found = {each["name"]: each.get("value", "") for each in mine if each["type"] in ("text", "hidden")}
    found |= dict(re.findall(r'<textarea[^>]* name="(config-[^"]+)"[^>]*>([^<]*)<', page))
    return found | {each["name"]: "1" for each in mine if each["type"] == "checkbox" and " checked" in each["all"]}


def form_of(host: Client, url: str = f"{ADD}?game={GAME.slug}") -> dict[str, str]:
    return inputs_of(text_of(host.get(url)))


def create(host: Client, **typed: str) -> Match:
    config = {f"config-{key}": text for key, text in typed.items()}
    answer = host.post(ADD, {**FACTS, **form_of(host), **config, "_save": "Save"})
    assert answer.status_code == 302, text_of(answer)
    return Match.objects.get(title="Cabinet")


# -- a new match -------------------------------------------------------------------------------------


def test_a_round_and_an_auction_are_added_by_filling_in_the_empty_ones(host: Client) -> None:
    match = create(
        host,
        **{
            "rounds-0-auctions-3-name": "Mint house",
            "rounds-0-auctions-3-prize-gold": "4",
            "rounds-5-auctions-0-name": "Last stand",
        },
    )
    rounds = GAME.read_config(match.config).rounds
    assert [auction.name for auction in rounds[0].auctions] == ["Bakery", "Smithy", "Fishmarket", "Mint house"]
    assert rounds[0].auctions[3].prize.gold == 4
    assert (rounds[5].names, rounds[5].auction_limit) == (("Last stand",), 2)


def test_rounds_and_auctions_are_taken_out(host: Client) -> None:
    match = create(host, **{"rounds-0-auctions-1-gone": "1", "rounds-4-gone": "1"})
    rounds = GAME.read_config(match.config).rounds
    assert len(rounds) == 4
    assert rounds[0].names == ("Bakery", "Fishmarket")


def test_stored_settings_go_round_unchanged_and_the_way_back_is_there(host: Client) -> None:
    match = create(
        host,
        **{
            "rounds-0-auctions-0-prize-gold": "7",
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
