"""What a mail says: every time with its zone, what counts first, and nothing sealed where others may see it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from notices.channels import push, webhook
from notices.channels.base import Item, Outgoing
from notices.channels.letters import letter
from notices.channels.wording import lines_of, moment, one_line

AT = datetime(2026, 3, 1, 14, tzinfo=UTC)
SECRET = "Your sealed bid of 17 on Y is the lowest"


def item(event: str = "outbid", match: str = "abc", **fields) -> Item:
    plain = {
        "id": f"id-{event}-{match}", "event": event, "title": f"Something · Match {match}", "text": SECRET,
        "path": f"/matches/{match}/?lot=Y&x=1#act", "match_id": match, "match_title": f"Match {match}",
        "game_title": "Highest Bid", "at": AT, "by": None,
    }  # fmt: skip
    return Item(**{**plain, **fields})


def outgoing(*items: Item, **fields) -> Outgoing:
    plain = {
        "person": 7, "channel": "email", "address_token": "addr", "target": "ann@example.org", "details": {},
        "name": "Ann", "zone": "Europe/Berlin", "show_details": False, "items": items, "is_digest": False,
    }  # fmt: skip
    return Outgoing(**{**plain, **fields})


def shown(html: str) -> str:
    """What a mail program reads out of HTML, from its beginning."""
    body = re.sub(r"<style.*?</style>|<title.*?</title>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split(" "))


def test_the_reader_has_their_own_time_and_utc() -> None:
    words = letter(outgoing(item(by=AT + timedelta(hours=9, minutes=30))))
    for text in (words.text, shown(words.html)):
        assert "Your move: by Mon 2 Mar 2026, 00:30 CET (Sun 1 Mar 2026, 23:30 UTC)" in text
        assert "Sun 1 Mar 2026, 15:00 CET (14:00 UTC)" in text


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "Sun 1 Mar 2026, 14:00 UTC"),
        ("Asia/Kolkata", "Sun 1 Mar 2026, 19:30 IST (14:00 UTC)"),
        ("America/Sao_Paulo", "Sun 1 Mar 2026, 11:00 UTC-03 (14:00 UTC)"),
        ("Pacific/Auckland", "Mon 2 Mar 2026, 03:00 NZDT (Sun 1 Mar 2026, 14:00 UTC)"),
    ],
)
def test_moments(zone: str, said: str) -> None:
    assert moment(AT, zone) == said


def test_there_is_one_button_to_the_place_and_it_works() -> None:
    words = letter(outgoing(item()))
    assert words.html.count('class="button"') == 1
    assert words.html.count('class="only-you"') == 1
    assert "/matches/abc/?lot=Y&amp;x=1#act" in words.html
    assert "/matches/abc/?lot=Y&x=1#act" in words.text


def test_what_lock_screens_show_is_not_sealed() -> None:
    words = letter(outgoing(item()))
    assert "17" not in words.subject
    for text in (words.text, shown(words.html)):
        assert SECRET in text
        assert len(text[: text.index(SECRET)].strip()) >= 150
    many = letter(outgoing(item(), item("won"), is_digest=True))
    for text in (many.text, shown(many.html)):
        assert len(text[: text.index(SECRET)].strip()) >= 150


@pytest.mark.parametrize("event", ["resumed", "moved", "outbid", "round_opened", "message"])
def test_where_others_look_nothing_says_whether_the_reader_has_sent_theirs(event: str) -> None:
    """While something is asked of them, `by` says until when; once it is sealed, nothing does."""
    twins = [outgoing(item(event, by=by)) for by in (None, AT + timedelta(hours=9))]
    assert len({push.payload(each.items[0], each) for each in twins}) == 1
    for form in (webhook.DISCORD, webhook.SLACK):
        assert len({str(webhook.BODIES[form](each.items[0], each)) for each in twins}) == 1
    letters = [letter(each) for each in twins]
    for texts in ([each.text for each in letters], [shown(each.html) for each in letters]):
        assert len({text[:200] for text in texts}) == 1
        assert "Your move: by Mon 2 Mar 2026, 00:00 CET" in texts[1]


def test_what_asks_something_says_until_when_also_there() -> None:
    asked = outgoing(item("deadline_near", by=AT + timedelta(hours=9)))
    words = "By Mon 2 Mar 2026, 00:00 CET (Sun 1 Mar 2026, 23:00 UTC)"
    assert words in json.loads(push.payload(asked.items[0], asked))["body"]
    assert words in webhook.BODIES[webhook.DISCORD](asked.items[0], asked)["content"]
    assert words in letter(asked).text[:200]


@pytest.mark.parametrize("show_details", [False, True])
@pytest.mark.parametrize("by", [None, AT + timedelta(hours=9)])
def test_every_text_names_a_moment_with_its_zone(show_details: bool, by: datetime | None) -> None:
    told = outgoing(item("resumed", by=by), show_details=show_details)
    texts = [json.loads(push.payload(told.items[0], told))["body"], letter(told).text, shown(letter(told).html)]
    texts += [str(webhook.BODIES[form](told.items[0], told)) for form in (webhook.DISCORD, webhook.SLACK)]
    for text in texts:
        assert re.search(r"\d+ Mar 2026, \d\d:\d\d CET \(.*UTC\)", text)


def test_it_is_shown_if_the_player_asks_for_it() -> None:
    assert SECRET in letter(outgoing(item(), show_details=True)).subject


@pytest.mark.parametrize("is_digest", [False, True])
def test_words_at_the_foot_do_not_touch(is_digest: bool) -> None:
    foot = re.sub(r"<[^>]+>", "", letter(outgoing(item(), is_digest=is_digest)).html.split('class="foot"')[1])
    assert re.search(r"or host (it|them)\. No more mail like this · How", foot)


def test_a_digest_says_what_to_act_on_first_then_lost_and_won() -> None:
    told = [("round_opened", "aaa"), ("won", "aaa"), ("lost", "bbb"), ("decision_asked", "bbb"), ("lost", "aaa")]
    words = letter(outgoing(*(item(event, match, text=f"{event}!") for event, match in told), is_digest=True))
    assert re.findall(r'class="title"[^>]*>([^<]+)', words.html) == ["Match bbb", "Match aaa"]
    found = re.findall(r'class="line"[^>]*>([^<]+)', words.html)
    assert found == ["decision_asked!", "lost!", "lost!", "won!", "round_opened!"]
    assert words.subject == "5 notices of 2 matches"
    assert words.text.index("Match bbb") < words.text.index("Match aaa")


def test_a_digest_of_one_notice_has_its_title() -> None:
    """“1 notice of Match abc” said less than what one can have at once."""
    at_once, digest = (letter(outgoing(item(), is_digest=each)) for each in (False, True))
    assert digest.subject == at_once.subject == "Something · Match abc"
    assert digest.text.startswith("Something · Match abc")


def test_only_a_headline_that_asks_has_the_bare_moment() -> None:
    by = AT + timedelta(hours=9)
    for event, said in (("round_opened", "Your move: by Sun 1 Mar 2026"), ("deadline_near", "By Sun 1 Mar 2026")):
        for is_digest in (False, True):
            assert said in letter(outgoing(item(event, by=by), zone="UTC", is_digest=is_digest)).text


def test_titles_cannot_break_out_of_their_line() -> None:
    nasty = "Cup\r\nBcc: eve@example.org\x00\u202e\u2066<script>\ud800\u2028x"
    words = letter(outgoing(item(title=nasty, match_title=nasty, text=f"a\x00\u202eb\r\n{nasty}")))
    assert words.subject == "Cup Bcc: eve@example.org<script> x"
    assert "<script>" not in words.html
    for text in (words.subject, words.text, words.html):
        assert not set("\x00\r\u202e\u2066\ud800\u2028") & set(text)


def test_lines_are_kept_and_joiners_of_emoji_too() -> None:
    assert lines_of("one\n\n two \r\nthree") == ["one", "two", "three"]
    assert one_line("👩‍🚀 \t x") == "👩‍🚀 x"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("\u2068דנה\u2069 won", "\u2068דנה\u2069 won"),
        ("\u2068דנה won", "דנה won"),
        ("דנה\u2069 \u2068won", "דנה won"),
    ],
)
def test_a_name_stays_set_apart_where_that_has_an_end(said: str, shown: str) -> None:
    assert one_line(said) == shown


def test_styles_are_at_each_element_by_day_and_in_a_sheet_by_night() -> None:
    html = letter(outgoing(item())).html
    [button] = [tag for tag in re.findall(r"<a [^>]+>", html) if 'class="button"' in tag]
    assert "#e0ac45" in button
    assert "var(" not in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert "background: #dca944 !important;" in html
