"""What a mail says: every time with its zone, what counts first, and nothing sealed where others may see it."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from matches.models import Match
from notices.channels import push, webhook
from notices.channels.base import Outgoing
from notices.channels.email import words_of
from notices.models import Notice

AT = datetime(2026, 3, 1, 14, tzinfo=UTC)
SECRET = "Your sealed bid of 17 on Y is the lowest"


def item(event: str = "outbid", match: str = "abc", **fields) -> Notice:
    plain = {
        "token": f"id-{event}-{match}", "event": event, "title": f"Something · Match {match}", "text": SECRET,
        "url": f"/matches/{match}/?lot=Y&x=1#act", "at": AT, "by": None,
        "match": Match(public_id=match, title=f"Match {match}") if match else None,
    }  # fmt: skip
    return Notice(**{**plain, **fields})


def outgoing(*items: Notice, **fields) -> Outgoing:
    plain = {
        "person": 7, "channel": "email", "address_token": "addr", "target": "ann@example.org", "details": {},
        "zone": "Europe/Berlin", "show_details": False, "items": items, "is_digest": False,
    }  # fmt: skip
    return Outgoing(**{**plain, **fields})


def shown(html: str) -> str:
    """What a mail program reads out of HTML, from its beginning."""
    body = re.sub(r"<style.*?</style>|<title.*?</title>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split(" "))


def test_what_lock_screens_show_is_not_sealed() -> None:
    words = words_of(outgoing(item()))
    assert "17" not in words.subject
    for text in (words.text, shown(words.html)):
        assert SECRET in text
        assert len(text[: text.index(SECRET)].strip()) >= 150
    many = words_of(outgoing(item(), item("won"), is_digest=True))
    for text in (many.text, shown(many.html)):
        assert len(text[: text.index(SECRET)].strip()) >= 150


@pytest.mark.parametrize("event", ["resumed", "moved", "outbid", "round_opened", "message"])
def test_where_others_look_nothing_says_whether_the_reader_has_sent_theirs(event: str) -> None:
    """While something is asked of them, `by` says until when; once it is sealed, nothing does."""
    twins = [outgoing(item(event, by=by)) for by in (None, AT + timedelta(hours=9))]
    assert len({push.payload(each.items[0], each) for each in twins}) == 1
    for form in (webhook.DISCORD, webhook.SLACK):
        assert len({str(webhook.BODIES[form](each.items[0], each)) for each in twins}) == 1
    letters = [words_of(each) for each in twins]
    for texts in ([each.text for each in letters], [shown(each.html) for each in letters]):
        assert len({text[:200] for text in texts}) == 1
        assert "Your move: by Mon 2 Mar 2026, 00:00 CET" in texts[1]
