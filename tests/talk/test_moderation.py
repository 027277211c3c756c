"""Reports, hiding, what hosts did, search, files, and what is unread."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from accounts import deletion
from accounts.models import User
from matches.models.clock import FixedTime
from matches.queries.host_acts import host_act_rows, host_acts
from matches.services.commands import NotAHost
from matches.services.errors import CommandRefused
from matches.services.hosting import cancel
from matches.services.replay import verify
from talk.models import Message, TalkChoices
from talk.queries.rights import USUAL
from talk.queries.unread import unread_for, unread_in
from talk.services import moderating
from talk.services.channels import choose
from tests.talk.conftest import TalkTable

BAD = "you are a spoon"


def acts(table: TalkTable) -> list[tuple[str, str, str]]:
    return [(act.host, act.what, act.reason) for act in host_acts(table.match, list(host_act_rows(table.match)))]


def hide(table: TalkTable, message: Message, reason: str = "an insult") -> None:
    moderating.hide(table.match, table.users["dora"], message.token, reason)


# -- reports ---------------------------------------------------------------------------------------


def test_a_report_shows_one_private_message_to_the_hosts_and_no_other(table: TalkTable) -> None:
    channel = table.whisper("ann", "cat")
    table.say("cat", "something else", channel)
    message = table.say("ann", BAD, channel)
    dora, cat = table.browser("dora"), table.browser("cat")
    assert BAD not in dora.look(table.address("reports"))
    dora.look(table.address("hide", message.token), 404)
    with pytest.raises(CommandRefused):
        hide(table, message)
    assert "your name" in cat.look(table.address("report", message.token))
    assert cat.post(table.address("report", message.token), {"reason": "rude"}).status_code == 302
    page = dora.look(table.address("reports"))
    assert BAD in page
    assert re.search(r">cat<[^:]*: rude", " ".join(page.split()))
    assert "Reports (1 new)" in page
    assert unread_in(table.viewer("dora")) == 1
    assert "something else" not in page
    assert BAD in dora.look(table.address("hide", message.token))
    dora.look(table.address("channel", channel), 404)
    assert "which is private" in cat.look(table.address("report", message.token))
    assert "which is private" not in cat.look(table.address("report", table.say("ann", "to all").token))


def test_a_report_that_nobody_has_decided_is_seen_before_any_number_of_others(
    table: TalkTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moderating, "_MOST_REPORTED", 1)
    insult, words = table.say("ann", "an old insult"), table.say("ann", "mere words")
    cat, dora, hal = table.browser("cat"), table.browser("dora"), User.objects.create_user("hal", "hal@example.org")
    table.match.roles.create(user=hal, role="cohost")
    for message in (words, insult):
        cat.post(table.address("report", message.token), {"reason": "rude"})
    moderating.leave_as_it_is(table.match, hal, words.token, "fine")
    assert "an old insult" in dora.look(table.address("reports"))
    deletion.delete(hal)
    assert ">hal<" not in cat.look(table.address("report", words.token))
    moderating.leave_as_it_is(table.match, table.users["dora"], insult.token, "fine")
    cat.post(table.address("report", words.token), {"reason": "it names my address"})
    assert "it names my address" in dora.look(table.address("reports"))


# -- hiding ----------------------------------------------------------------------------------------


def everywhere(table: TalkTable, name: str, channel: str) -> list[str]:
    """What a reader finds of a channel, in every way."""
    client, api = table.browser(name), f"/api/v1/matches/{table.match.public_id}/talk/"
    pages = [table.address("channel", channel), table.address("latest", channel), table.address("export")]
    pages += [f"{table.address('export')}?format=json", f"{table.address('search')}?q=reader"]
    pages += [f"{api}{channel}/", f"{api}export/", f"{api}search/?q=reader"]
    return [client.look(page) for page in pages]


@pytest.mark.parametrize("channel", ["public", "team"])
def test_a_hidden_message_keeps_its_place_and_loses_its_text(read_by_hosts: TalkTable, channel: str) -> None:
    table = read_by_hosts
    message = table.say("ann", f"{BAD}, dear reader", channel)
    assert all(BAD in page for page in everywhere(table, "bob", channel))
    hide(table, message)
    found = everywhere(table, "bob", channel)
    assert not any(BAD in page for page in (*found, *everywhere(table, "dora", message.channel.token)))
    assert "an insult" in found[0]
    assert message.token not in found[4], "whether it has a word tells what it said"
    assert Message.objects.get().text.startswith(BAD), "it stays stored"
    assert verify(table.match) == []


def test_only_a_host_hides_and_only_what_is_there(table: TalkTable, present: FixedTime) -> None:
    message = table.say("ann", BAD)
    for name in ("ann", "cat", "eve"):
        with pytest.raises(NotAHost):
            moderating.hide(table.match, table.users[name], message.token, "because")
        assert table.browser(name).post(table.address("hide", message.token), {"reason": "x"}).status_code == 404
    other = TalkTable(present).open()
    with pytest.raises(CommandRefused):
        moderating.hide(other.match, other.users["dora"], message.token, "because")
    assert Message.objects.get().hidden_at is None


def reported(table: TalkTable) -> tuple[Message, str]:
    """A message that cat has reported, and the address at which hosts decide about it."""
    message = table.say("ann", BAD)
    table.browser("cat").post(table.address("report", message.token), {"reason": "rude"})
    return message, table.address("hide", message.token)


def leave(table: TalkTable, url: str, reason: str = "Spoons are fine.") -> Any:
    return table.browser("dora").post(url, {"leave": "1", "reason": reason})


def test_that_something_was_reported_is_for_hosts_and_reporters_until_the_end(table: TalkTable) -> None:
    message, url = reported(table)
    before = acts(table)
    leave(table, url)
    report = table.address("report", message.token)
    assert acts(table) == before
    assert "Spoons" in table.browser("cat").look(report)
    for name in ("ann", "bob"):
        assert "Spoons" not in table.browser(name).look(report)
    assert "reported" not in table.browser("ann").look(f"{table.url}history/")
    cancel(table.match, table.users["dora"], "enough")
    assert ("dora", "left a reported message as it is", "Spoons are fine.") in acts(table)


def test_why_a_private_message_was_hidden_is_for_its_readers_until_the_end(table: TalkTable) -> None:
    message = table.say("ann", BAD, table.whisper("ann", "cat"))
    table.browser("cat").post(table.address("report", message.token), {"reason": "rude"})
    hide(table, message, "a spoon is no insult")
    history = f"{table.url}history/"
    assert ("dora", "hid a message", "") in acts(table)
    assert not any("no insult" in table.browser(name).look(history) for name in ("bob", None))
    assert "no insult" in table.browser("cat").look(table.address("channel", message.channel.token))
    cancel(table.match, table.users["dora"], "enough")
    assert ("dora", "hid a message", "a spoon is no insult") in acts(table)


# -- search and files ------------------------------------------------------------------------------


def test_search_finds_words_in_what_one_may_read(table: TalkTable) -> None:
    table.say("ann", "the Blue seat and the red one")
    table.say("ann", "a blue secret", "team")
    search = table.address("search")
    for name, count in (("bob", 2), ("cat", 1), (None, 1)):
        assert table.browser(name).look(f"{search}?q=blue").count('id="message-') == count
    assert "No message" in table.browser("bob").look(f"{search}?q=blue+green")
    assert "No message" in table.browser("bob").look(f"{search}?q=%25")


def test_a_file_has_everything_that_its_reader_may_read(table: TalkTable) -> None:
    table.say("ann", "one\ntwo")
    table.say("ann", "for the team", "team")
    text = table.browser("bob").look(table.address("export"))
    assert "2026-03-01 14:00 UTC  ann: one\n    two" in text
    assert "for the team" in text
    assert "for the team" not in table.browser("cat").look(table.address("export"))
    found = json.loads(table.browser("bob").look(f"{table.address('export')}?format=json"))
    assert [(each["channel"], len(each["messages"])) for each in found["channels"]] == [("public", 1), ("team", 1)]
    table.browser("bob").look(f"{table.address('export')}?format=pdf", 404)


# -- what is unread --------------------------------------------------------------------------------


def counts(table: TalkTable, name: str) -> list[tuple[str, int]]:
    return [(each.kind, each.messages) for each in unread_for(table.users[name])]


def test_unread_is_what_others_wrote_since_one_looked(table: TalkTable) -> None:
    table.say("ann", "one")
    table.say("ann", "two", "team")
    table.say("bob", "three", "team")
    assert sorted(counts(table, "bob")) == [("public", 1), ("team", 1)]
    assert counts(table, "dora") == [("public", 1)]
    assert counts(table, "eve") == []
    tab = '<span class="badge badge--brass tabs__unread" data-unread>2<'
    assert tab in table.browser("bob").look(table.url)
    assert "tabs__unread" not in table.browser("eve").look(table.url)
    table.browser("bob").look(table.address("channel", "team"))
    assert counts(table, "bob") == [("public", 1)]
    assert counts(table, "ann") == [("team", 1)], "another's look is another's"
    table.browser("bob").look(unread_for(table.users["bob"])[0].url)
    assert counts(table, "bob") == []
    table.say("ann", "four")
    assert counts(table, "bob") == [("public", 1)]


def test_a_change_is_refused_once_the_start_has_come(draft: TalkTable, present: FixedTime) -> None:
    from matches.services.hosting import publish

    publish(draft.match, draft.users["dora"], present.instant + timedelta(hours=1))
    choose(draft.match, draft.users["dora"], replace(USUAL, team=False))
    present.instant += timedelta(hours=1)
    with pytest.raises(CommandRefused):
        choose(draft.match, draft.users["dora"], replace(USUAL, hosts_read=True))
    assert not TalkChoices.objects.get().hosts_read


def test_a_hidden_message_is_not_unread(table: TalkTable) -> None:
    hide(table, table.say("ann", BAD))
    assert counts(table, "bob") == []
    assert unread_in(table.viewer("bob")) == 0
