"""Words that go with a Token of Life: kept until the gift is announced, and shown beside it from then on."""

from __future__ import annotations

import pytest

from matches.models import Match, clock
from matches.queries.access import viewer_of
from matches.services import hosting
from matches.services.bots import move_all
from matches.services.creation import create_match
from matches.services.group.queue import submit
from matches.services.hosting import publish
from matches.services.joining import add_player
from matches.services.replay import verify
from talk.models import Speech, TalkChoices
from talk.queries.messages import said_in
from talk.services import moderating
from talk.services.posting import NotNow, keep_speech
from tests.fixtures.made_once import made_once
from tests.fixtures.present import START
from tests.talk.conftest import TalkTable, plain
from tests.web.conftest import browser, sure

WORDS = "For the best opponent."
NAMES = ("ann", "bob", "cat", "dan")


class Giving(TalkTable):
    """ann has both tokens of a short match, and gives one away."""

    def __init__(self, present: clock.FixedTime, **chosen: bool) -> None:
        self.present = present
        self.users = {name: self._person(name) for name in (*NAMES, "dora", "eve")}
        auctions = [
            {"name": "Mill", "prize": {"gold": 2, "silver": 3}},
            {"name": "Smithy"},
            {"name": "Bakery", "prize": {"silver": 1}},
        ]
        config = {"pregame": 0, "rounds": [{"auctions": auctions}]}
        match = create_match("coin_collectors", "Coins", hosts=(self.users["dora"],), config=config)
        self.match_id = match.pk
        for name in NAMES:
            add_player(match, name, user=self.users[name])
        if chosen:
            TalkChoices.objects.create(match=match, **chosen)
        publish(match, self.users["dora"])

    def asked(self) -> Giving:
        """Until ann is asked."""
        for name, bids in (("ann", {"Mill": {"gold": 1}}), ("bob", {"Smithy": {"silver": 1}})):
            assert submit(self.match_id, self.users[name].pk, {"type": "bid", "bids": bids}).accepted
        return self.at(24)

    def give(self, words: str | None = None, to: str = "dan", **how: str) -> int:
        """Press the button, as the page of ann would; the answer's status."""
        data = {"type": "give_tokens", "to": to, "key": how.get("key", "")}
        data |= {} if words is None else {"words": words}
        data |= sure({"type": "give_tokens", "to": [to]})
        return browser(self.users["ann"]).post(f"{self.url}act/", data).status_code

    def shown(self) -> list[bool]:
        """Whether the words are on the board and in public talk, for a visitor, a player and the host."""
        pages = [f"{self.url}", self.address("talk"), self.address("export")]
        return [WORDS in self.browser(name).look(page) for name in (None, "bob", "dora") for page in pages]


@pytest.fixture
def giving(db: None, present: clock.FixedTime) -> Giving:
    return made_once("giving", lambda: Giving(present).asked(), present)


def test_words_are_shown_with_the_gift_and_not_before(giving: Giving) -> None:
    keep_speech(giving.match, giving.users["ann"], WORDS)
    assert not any(giving.shown())
    assert said_in(giving.match) == []
    assert giving.give(WORDS) == 302
    assert giving.match.status == Match.Status.FINISHED
    assert giving.shown() == [True] * 9
    assert f'<q class="gift-words">{WORDS}</q>' in giving.browser().look(giving.url)
    assert verify(giving.match) == []


def test_words_of_a_gift_that_was_drawn_are_never_shown(giving: Giving) -> None:
    keep_speech(giving.match, giving.users["ann"], WORDS)
    giving.at(49)
    assert giving.match.status == Match.Status.FINISHED
    assert Speech.objects.count() == 1
    assert not any(giving.shown())


@pytest.mark.parametrize("chooses", ["bot", "host"])
def test_words_do_not_go_with_a_gift_that_somebody_else_chose(giving: Giving, chooses: str) -> None:
    ann, host = giving.match.players.get(handle="ann"), giving.users["dora"]
    keep_speech(giving.match, ann.user, WORDS)
    if chooses == "bot":
        hosting.let_bot_play(giving.match, host, ann, "She is ill.")
        with pytest.raises(NotNow):
            keep_speech(giving.match, ann.user, WORDS)
        giving.at(40)
        move_all()
    else:
        decided = {"type": "give_tokens", "to": ["cat"]}
        assert hosting.decide_for(giving.match, host, ann, decided, "She is ill.").accepted
    assert giving.match.status == Match.Status.FINISHED
    assert said_in(giving.match) == []


def test_words_do_not_change_once_the_gift_is_made(giving: Giving) -> None:
    assert giving.give(WORDS, key="one") == 302
    assert giving.give("something else", key="one") in (302, 422)
    with pytest.raises(NotNow):
        keep_speech(giving.match, giving.users["ann"], "something else")
    assert Speech.objects.get().text == WORDS


def test_a_host_can_hide_words_once_they_are_public(giving: Giving) -> None:
    keep_speech(giving.match, giving.users["ann"], WORDS)
    speech, client = Speech.objects.get(), giving.browser("dora")
    url = giving.address("hide", speech.token)
    client.look(url, 404)
    giving.give(WORDS)
    assert WORDS in client.look(url)
    moderating.hide(giving.match, giving.users["dora"], speech.token, "an insult")
    assert not any(giving.shown())
    assert "an insult" in giving.browser().look(giving.address("talk"))


def test_words_that_wait_change_nothing_for_anybody_else(db: None, present: clock.FixedTime) -> None:
    """Twins: ann has kept her words in one of them."""
    seen = []
    for words in ("", WORDS):
        present.instant = START
        table = Giving(present).asked()
        if words:
            keep_speech(table.match, table.users["ann"], words)
        pages = []
        for name in (None, "bob", "dora", "eve"):
            client = table.browser(name)
            for page in (table.url, f"{table.url}parts/", table.address("talk"), table.address("export")):
                pages.append(plain(client.look(page), table))
            api = client.get(f"/api/v1/matches/{table.match.public_id}/talk/")
            pages.append(plain(api.content.decode(), table))
        seen.append(pages)
        assert viewer_of(table.match, table.users["ann"]).player is not None
    assert seen[0] == seen[1]
