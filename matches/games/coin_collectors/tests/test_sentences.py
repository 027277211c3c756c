"""Every kind of announcement has its sentences."""

from __future__ import annotations

from matches.engine.step import Announcement
from matches.games.coin_collectors import GAME
from matches.games.coin_collectors.sentences import SENTENCES
from matches.games.coin_collectors.tests.table import Table, auction, bid, round_of, three, use, with_items


def said(table: Table) -> list[str]:
    """All sentences so far, with players named in capitals."""
    return [GAME.describe(item, str.upper) for step in table.steps for item in step.announcements]


def test_a_match_reads_like_a_story() -> None:
    first = round_of(auction("Mill", silver=3, items={"wide_net": 1}), auction("Smithy", gold=1), auction_limit=1)
    last = round_of(auction("Mint", gold=2))
    table = three(first, last, items={"wide_net": {"name": "Fishing net", "description": "Catches more."}})
    table.act("1h", "ann", bid({"Mill": {"silver": 1}})).act("2h", "bob", bid({"Smithy": {"gold": 1}}))
    table.act("25h", "ann", bid({"Mint": {"gold": 1}})).until("48h")
    assert said(table) == [
        "Round 1 of 2 has started. Up for auction: Mill and Smithy. You may bid on 1 of them, 3 coins on each at most.",
        "New: Fishing net. Catches more.",
        "Round 1 is closed. Mill brought you 3 silver coins and 1 Fishing net. You spent 1 silver coin.",
        "Round 1 is closed. Smithy brought you 1 gold coin. You spent 1 gold coin.",
        "Round 1 is closed. You bid on nothing.",
        "Round 2 of 2 has started. Up for auction: Mint. You may bid 3 coins on it at most.",
        "Round 2 is closed. Mint brought you 2 gold coins. You spent 1 gold coin.",
        "Round 2 is closed. You bid on nothing.",
        "Round 2 is closed. You bid on nothing.",
        "All rounds are over. Most gold: ANN. Most coins: ANN.",
        "It is up to you to vote for the Elimination Candidate.",
    ]


def test_items_have_words() -> None:
    round_two = round_of(auction("Mill", silver=1), auction("Smithy", gold=1))
    table = with_items(round_two, round_of(), alchemy=2, insurance=1, spyglass=2)
    table.act(
        "25h",
        "ann",
        bid(
            {"Mill": {"gold": 2}},
            use("insurance", "Mill"),
            use("alchemy", source="silver"),
            use("alchemy", source="bronze"),
            use("spyglass", "Mill"),
            use("spyglass", "Smithy"),
        ),
    ).act("25h", "bob", bid({"Mill": {"gold": 2}})).until("48h")
    assert said(table)[-6:-1] == [
        "Round 2 is closed. Mill brought you nothing. Insurance brought 2 gold coins back. 1 silver coin became gold. "
        "1 bronze coin became silver.",
        "What you spied on Mill: ANN 2 gold coins; BOB 2 gold coins.",
        "What you spied on Smithy: nobody bid on it.",
        "Round 2 is closed. Mill brought you nothing. You spent 2 gold coins.",
        "Round 2 is closed. You bid on nothing.",
    ]
    assert said(table)[-1] == "Round 3 of 3 has started. Nothing is auctioned in it."


def test_alchemy_that_is_kept_is_spoken_of() -> None:
    table = with_items(round_of(auction("Mill")), round_of(), alchemy=1)
    table.act("25h", "ann", bid({"Mill": {"silver": 2}}, use("alchemy", source="silver"))).until("48h")
    assert said(table)[-4].endswith("There was nothing to change with alchemy, so you keep it.")


def test_the_other_endings_have_words() -> None:
    nullified = three(round_of(auction("Mill"))).to_the_end()
    assert "All rounds are over. Most gold: ANN, BOB and CAT. Most coins: ANN, BOB and CAT. " + (
        "That would make 6 Tokens of Life, so nobody gets one."
    ) in said(nullified)
    poor = three(round_of(auction("Mill")), start={}).to_the_end()
    assert "All rounds are over. Nobody has any coin, so nobody wins." in said(poor)
    bronze = three(round_of(auction("Mill", bronze=1)), start={"bronze": 1}).to_the_end()
    assert any("Nobody has any gold." in sentence for sentence in said(bronze))


def test_what_hosts_bring_about_has_words() -> None:
    one, two = round_of(auction("Mill")), round_of(auction("Mint"))
    table = three(one).act("1h", "ann", bid({"Mill": {"gold": 1}})).correct("ann", "gold", -1).amend([one, two], "2h")
    assert said(table)[-1] == "A host has changed how long the play lasts: there are now 2 rounds."
    table.until("24h")
    (dropped,) = [sentence for sentence in said(table) if "did not count" in sentence]
    assert dropped == (
        "What you had sealed for round 1 did not count when it closed. "
        "You have 0 gold coins, so your bids may hold 0 in all, not 1."
    )


def test_kinds_of_the_engine_are_left_to_the_engine() -> None:
    assert GAME.describe(Announcement("everyone", "match_resumed"), str) == "The match goes on."
    assert set(SENTENCES) == {
        *("round_started", "item_explained", "round_account", "spied", "bids_dropped", "rounds_changed", "play_over"),
    }


def test_a_round_says_on_how_many_of_its_auctions_one_may_bid() -> None:
    said = {}
    for limit, auctions in ((1, ["Mint"]), (1, ["Mint", "Mill"]), (2, ["Mint", "Mill"]), (5, ["Mint", "Mill"])):
        data = {"round": 1, "rounds": 2, "auctions": auctions, "auction_limit": limit, "bid_limit": 3}
        said[limit, len(auctions)] = SENTENCES["round_started"](data, str).partition("You may bid ")[2]
    assert said == {
        (1, 1): "3 coins on it at most.",
        (1, 2): "on 1 of them, 3 coins on each at most.",
        (2, 2): "on all of them, 3 coins on each at most.",
        (5, 2): "on all of them, 3 coins on each at most.",
    }
