"""What may be written, how much of it, and what becomes of it."""

import json
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import ApiToken
from matches.infra.rate_limits import Buckets
from matches.models.clock import FixedTime
from matches.services import hosting
from matches.services.errors import KeyConflict
from matches.services.texts import BadText
from talk.models import Mention, Message
from talk.services import limits, posting
from talk.services.posting import MayNotWrite
from tests.talk.conftest import TalkTable

LONG = "x" * 10_000


NO_TEXTS = [
    (LONG, "text_too_long"),
    ("x" * 2001, "text_too_long"),
    ("a\n" * 50 + "a", "text_too_long"),
    ("", "text_missing"),
    (" \n\t ", "text_missing"),
    ("a\x00b", "text_not_visible"),
    ("\ud800", "text_not_visible"),
    ("right \u202eto left", "text_not_visible"),
    ("zero\u200bwidth", "text_not_visible"),
    ("\u2066isolated\u2069", "text_not_visible"),
    ("a" + "\u0301" * 6, "text_not_visible"),
]


def test_a_text_that_cannot_be_taken_is_refused_and_nothing_is_stored(table: TalkTable) -> None:
    for text, code in NO_TEXTS:
        with pytest.raises(BadText) as refused:
            table.say("ann", text)
        assert refused.value.code == code
        assert not Message.objects.exists()


# -- sent twice ------------------------------------------------------------------------------------


def test_what_is_sent_twice_with_one_key_is_stored_once(table: TalkTable) -> None:
    first, second = (table.say("ann", "hello", key="k1") for _ in range(2))
    assert first.pk == second.pk
    assert Message.objects.count() == 1
    assert table.say("bob", "hello", key="k1").pk != first.pk, "a key is its owner's"
    hosting.cancel(table.match, table.users["dora"], "Enough.")
    table.present.forward(timedelta(days=8))
    assert table.say("ann", "hello", key="k1").pk == first.pk, "although talk has closed since"


@pytest.mark.parametrize(("text", "channel"), [("other", "public"), ("hello", "team")])
def test_a_key_is_good_for_one_message(table: TalkTable, text: str, channel: str) -> None:
    table.say("ann", "hello", key="k1")
    with pytest.raises(KeyConflict):
        table.say("ann", text, channel, key="k1")
    assert Message.objects.count() == 1


# -- how much --------------------------------------------------------------------------------------


def test_a_flood_is_stopped_and_loses_nothing(table: TalkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    still = Buckets(0.5, 8, clock=lambda: 0.0)
    monkeypatch.setattr(limits, "talk_rates", lambda: still)
    client = table.browser("ann")
    answers = [table.write(client, "public", f"number {n}") for n in range(20)]
    sent = [answer.status_code for answer in answers]
    assert sent == [302] * 8 + [429] * 12
    assert "number 19</textarea>" in answers[-1].content.decode()
    assert Message.objects.count() == 8
    assert table.write(table.browser("bob"), "public", "calm").status_code == 302, "others are not held up"


def test_within_a_day_one_writes_only_so_many_messages(table: TalkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_A_DAY", 2)
    table.say("ann", "one")
    table.say("ann", "two", "team")
    with pytest.raises(limits.TooMuch) as refused:
        table.say("ann", "three")
    assert refused.value.code == "too_many_messages"
    table.say("bob", "others are not held up")
    table.present.forward(limits.DAY)
    table.say("ann", "three")


# -- mentions --------------------------------------------------------------------------------------


def named_by(message: Message) -> set[str]:
    return set(Mention.objects.filter(message=message).values_list("user__username", flat=True))


def test_whoever_is_named_and_can_read_it_is_noted(table: TalkTable) -> None:
    assert named_by(table.say("ann", "@bob and @CAT. @dora! me@eve @ann @nobody @@cat")) == {"bob", "cat", "dora"}
    assert named_by(table.say("ann", "@bob @cat @dora", "team")) == {"bob"}
    assert named_by(table.say("ann", "@bob @cat", table.whisper("ann", "cat"))) == {"cat"}


def test_of_one_author_only_so_many_are_noted_within_an_hour(table: TalkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "MOST_MENTIONS", 3)
    assert named_by(table.say("ann", "@bob @cat")) == {"bob", "cat"}
    assert named_by(table.say("ann", "@bob @cat")) == set()
    assert named_by(table.say("ann", "@bob")) == {"bob"}
    assert named_by(table.say("bob", "@cat @ann")) == {"ann", "cat"}
    monkeypatch.setattr(posting.rights, "may_read", None)  # nobody's rights are read in vain
    assert named_by(table.say("ann", "@bob @cat")) == set()


def test_the_rooms_that_others_open_leave_one_ones_own(table: TalkTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_CHANNELS", 1)
    table.whisper("ann", "cat")
    table.whisper("cat", "bob")
    with pytest.raises(limits.TooMuch, match="You have opened 1 private"):
        table.whisper("cat", "ann", "bob")


# -- links -----------------------------------------------------------------------------------------


def test_an_address_becomes_a_link_and_markup_stays_text(table: TalkTable) -> None:
    table.say("ann", "<b>see</b> https://example.org/a, not https://bank.example@evil.example/")
    page = table.browser("bob").look(table.address("talk"))
    link = '<a href="https://example.org/a" rel="nofollow ugc noopener noreferrer" dir="ltr">https://example.org/a</a>'
    assert f"&lt;b&gt;see&lt;/b&gt; {link}, not https://bank.example@evil.example/" in page


def test_a_spectator_cannot_be_taken_for_a_player(db: None, present: FixedTime) -> None:
    table = TalkTable(present, spectators=True).open()
    eve = table.users["eve"]
    eve.display_name = "ann"
    eve.save()
    table.say("eve", "I give up")
    page = table.browser("bob").look(table.address("talk"))
    line = page.partition('<li class="talk__line')[2].partition("</li>")[0]
    assert '<strong><a class="person" href="/people/eve/">eve</a></strong>' in line
    assert "watching" in line


# -- by programs -----------------------------------------------------------------------------------


def api(table: TalkTable, *path: str) -> str:
    return "/".join((f"/api/v1/matches/{table.match.public_id}/talk", *path, ""))


def send(table: TalkTable, name: str, body: Any, *path: str, **how: Any) -> tuple[int, dict[str, Any]]:
    _, secret = ApiToken.issue(table.users[name], "a program", how.pop("scope", ApiToken.Scope.ACT))
    data = body if isinstance(body, bytes) else json.dumps(body)
    headers = {"Authorization": f"Bearer {secret}", **how}
    answer = table.browser().post(api(table, *path), data, content_type="application/json", headers=headers)
    return answer.status_code, answer.json()


def test_a_program_writes_and_reads(table: TalkTable) -> None:
    status, said = send(table, "ann", {"text": "hello"}, "public", **{"Idempotency-Key": "one"})
    again = send(table, "ann", {"text": "hello"}, "public", **{"Idempotency-Key": "one"})
    assert (status, said["accepted"], said["message"]["text"], said["message"]["mine"]) == (200, True, "hello", True)
    assert again[1]["message"]["id"] == said["message"]["id"]
    read = table.browser().get(api(table, "public")).json()
    assert [line["text"] for line in read["messages"]] == ["hello"]
    assert read["messages"][0] | {"id": "", "at": ""} == {
        "id": "",
        "at": "",
        "player": "ann",
        "member": None,
        "name": "ann",
        "role": "player",
        "text": "hello",
        "mine": False,
        "names_me": False,
        "hidden": None,
    }


WRONG_BODIES = [
    ({"text": LONG}, 422, "text_too_long"),
    ({"text": "a\x00b"}, 422, "text_not_visible"),
    (b'{"text": "\\ud800"}', 400, "malformed_json"),
    (b'{"text": "\xff"}', 400, "malformed_json"),
    ({"text": 5}, 422, "malformed"),
    ({"text": "a", "more": 1}, 422, "malformed"),
    ([], 422, "malformed"),
    (b"{", 400, "malformed_json"),
    (b'{"text": "' + b"x" * 20_000 + b'"}', 413, "too_large"),
]


def test_a_program_gets_a_code_for_what_is_wrong(table: TalkTable) -> None:
    for body, status, code in WRONG_BODIES:
        answer = send(table, "ann", body, "public")
        assert (answer[0], answer[1]["code"]) == (status, code)
        assert not Message.objects.exists()


def test_an_observer_reads_all_that_hosts_read_and_writes_nowhere(read_by_hosts: TalkTable) -> None:
    table = read_by_hosts
    hosts = [table.users["dora"]]
    hosting.set_roles(table.match, table.users["dora"], hosts, observers=[table.users["eve"]])
    for channel in ("public", table.whisper("ann", "bob")):
        assert table.browser("eve").get(table.address("channel", channel)).status_code == 200
        with pytest.raises(MayNotWrite) as refused:
            table.say("eve", "Hello", channel)
        assert refused.value.code == "only_observes"
    assert not Message.objects.exists()


def test_a_channel_is_read_to_its_end_both_ways_by_next(table: TalkTable) -> None:
    ids = [table.say("ann", text).token for text in ("one", "two", "three", "four", "five")]

    def read(query: str) -> list[str]:
        found, path = [], f"{api(table, 'public')}?{query}"
        while path:
            page = table.browser("bob").get(path).json()
            found, path = [*found, *(each["id"] for each in page["messages"])], page["next"]
        return found

    assert read("limit=2") == ids[::-1]
    assert read(f"limit=2&after={ids[0]}") == ids[1:]
