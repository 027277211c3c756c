"""Words that go with a Token of Life: kept until the gift is announced, and shown beside it from then on."""

from __future__ import annotations

import json

import pytest

from accounts.models import ApiToken
from matches.models import Match, clock
from matches.queries.access import viewer_of
from matches.services.creation import create_match
from matches.services.group.queue import submit
from matches.services.hosting import publish
from matches.services.joining import add_player
from matches.services.replay import verify
from talk.models import Speech, TalkChoices
from talk.queries.speeches import said_in
from talk.services import moderating
from talk.services.speeches import NotNow, keep
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
    return Giving(present).asked()


def test_the_field_stands_with_the_gift_and_nowhere_else(db: None, present: clock.FixedTime) -> None:
    table = Giving(present)
    field = 'name="words" form="act-give_tokens"'
    assert field not in browser(table.users["ann"]).look(table.url)
    table.asked()
    assert field in browser(table.users["ann"]).look(table.url)
    assert field not in browser(table.users["bob"]).look(table.url)


def test_where_it_was_not_chosen_there_is_no_field_and_nothing_is_kept(db: None, present: clock.FixedTime) -> None:
    table = Giving(present, speeches=False).asked()
    assert 'name="words"' not in browser(table.users["ann"]).look(table.url)
    assert table.give(WORDS) == 302
    assert not Speech.objects.exists()
    assert not any(table.shown())


def test_words_are_shown_with_the_gift_and_not_before(giving: Giving) -> None:
    keep(giving.match, giving.users["ann"], WORDS)
    assert not any(giving.shown())
    assert said_in(giving.match) == []
    assert giving.give(WORDS) == 302
    assert giving.match.status == Match.Status.FINISHED
    assert giving.shown() == [True] * 9
    assert f'<q class="gift-words">{WORDS}</q>' in giving.browser().look(giving.url)
    assert verify(giving.match) == []


def test_a_gift_without_words_has_none(giving: Giving) -> None:
    keep(giving.match, giving.users["ann"], WORDS)
    assert giving.give("") == 302
    assert not any(giving.shown())


def test_words_of_a_gift_that_was_drawn_are_never_shown(giving: Giving) -> None:
    keep(giving.match, giving.users["ann"], WORDS)
    giving.at(49)
    assert giving.match.status == Match.Status.FINISHED
    assert Speech.objects.count() == 1
    assert not any(giving.shown())


@pytest.mark.parametrize("words", ["x" * 201, "a\x00b", "turned \u202eround"])
def test_words_that_cannot_be_taken_make_no_gift(giving: Giving, words: str) -> None:
    assert giving.give(words) == 422
    assert not Speech.objects.exists()
    assert giving.match.status == Match.Status.OPEN
    assert giving.give(WORDS) == 302


def test_a_refused_gift_shows_no_words_and_keeps_what_was_typed(giving: Giving) -> None:
    answer = browser(giving.users["ann"]).post(
        f"{giving.url}act/", {"type": "give_tokens", "to": "bob", "words": WORDS}
    )
    assert answer.status_code == 422
    assert f'value="{WORDS}"' in answer.content.decode()
    assert not any(giving.shown())


def test_words_do_not_change_once_the_gift_is_made(giving: Giving) -> None:
    assert giving.give(WORDS, key="one") == 302
    assert giving.give("something else", key="one") in (302, 422)
    with pytest.raises(NotNow):
        keep(giving.match, giving.users["ann"], "something else")
    assert Speech.objects.get().text == WORDS


@pytest.mark.parametrize("name", ["bob", "dora", "eve"])
def test_nobody_else_says_anything(giving: Giving, name: str) -> None:
    with pytest.raises(NotNow):
        keep(giving.match, giving.users[name], WORDS)


def test_a_program_keeps_its_words_first(giving: Giving) -> None:
    _, secret = ApiToken.issue(giving.users["ann"], "a program")
    url = f"/api/v1/matches/{giving.match.public_id}/talk/gift/"
    headers = {"Authorization": f"Bearer {secret}"}
    said = {"text": WORDS}
    client = giving.browser()
    answer = client.post(url, json.dumps(said), content_type="application/json", headers=headers)
    assert answer.json() == {"accepted": True}
    assert giving.give() == 302, "a form of a page that has no field for words keeps what was said"
    assert client.get(f"/api/v1/matches/{giving.match.public_id}/talk/").json()["gifts"][0]["text"] == WORDS


def test_a_host_can_hide_words_once_they_are_public(giving: Giving) -> None:
    keep(giving.match, giving.users["ann"], WORDS)
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
            keep(table.match, table.users["ann"], words)
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
