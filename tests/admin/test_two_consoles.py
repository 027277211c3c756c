"""Two hosts change the same draft at the same time: the later one is told of the other's change before it is undone."""

import re
from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match, Player
from matches.services.creation import add_bots, update_draft
from matches.services.hosting import close_when_sent, publish, switch_blood_garnets, unpublish
from matches.services.joining import add_player
from tests.admin.conftest import Console, settings_form, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(draft: Match, other_host: Any) -> Console:
    """The console of a second host of the draft."""
    draft.roles.create(user=other_host, role="cohost")
    found = Console(other_host)
    found.match = draft
    return found


def typed_in(page: str, form: str) -> dict[str, str]:
    """A form as its page has it."""
    whole = re.search(rf"<form[^>]*{form}.*?</form>", page, re.DOTALL)
    assert whole
    inputs = re.findall(r"<input[^>]*>", whole[0])
    named = [(re.search(r' name="([^"]*)"', each), re.search(r' value="([^"]*)"', each), each) for each in inputs]
    return {
        name[1]: value[1] if value else ""
        for name, value, each in named
        if name and name[1] != "csrfmiddlewaretoken" and not re.search(r'type="(checkbox|submit)"', each)
    }


def test_what_another_host_changed_in_the_table_is_said_before_it_is_undone(
    console: Console, other: Console, draft: Match
) -> None:
    add_player(draft, handle="ann", name="Ann")
    mine, theirs = (typed_in(each.page(), 'action="#players"') for each in (console, other))
    address = f"{console.address}/change/"
    other.client.post(address, {**theirs, "players-0-name": "Anna"})
    page = text_of(console.client.post(address, {**mine, "players-0-garnets": "7"}))
    ann = Player.objects.get(match=draft)
    assert (ann.name, ann.garnets) == ("Anna", 0)
    assert "others have changed something. Players: changed ann (name" in page
    assert "(otto). What you typed is not saved yet" in page
    again = typed_in(page, 'action="#players"')
    assert again["players-0-garnets"] == "7"
    console.client.post(address, {**again, "players-0-name": "Anna"})
    ann.refresh_from_db()
    assert (ann.name, ann.garnets) == ("Anna", 7)


def test_what_another_host_changed_in_the_settings_is_said_before_it_is_undone(
    console: Console, draft: Match, other: Console, other_host: Any
) -> None:
    address = f"{console.address}/settings/"
    as_of = typed_in(text_of(console.client.get(address)), "data-settings")["as_of"]
    update_draft(draft, other_host, config={}, title="Late table", places=8)
    typed = {**settings_form(title="Night table", chips="21"), "as_of": as_of}
    page = text_of(console.client.post(address, typed))
    draft.refresh_from_db()
    assert (draft.title, draft.config) == ("Late table", {})
    assert "others have changed something. Changed the draft (title: Night table → Late table)" in page
    assert 'value="21"' in page
    again = typed_in(page, "data-settings")["as_of"]
    assert console.client.post(address, {**typed, "as_of": again}).status_code == 302
    draft.refresh_from_db()
    assert draft.config == {"chips": 21}

    add_bots(draft, other_host, 5)
    publish(draft, other_host, draft.created_at + timedelta(days=1), "without")
    unpublish(draft, other_host)
    close_when_sent(draft, other_host, True)
    page = text_of(console.client.post(address, {**typed, "as_of": again}))
    assert "start: The match begins without them) (otto). Let deadlines pass as soon as everybody" in page


@pytest.mark.parametrize(
    ("switch", "command", "field", "said"),
    [
        (switch_blood_garnets, "blood", "blood_garnets", "Blood garnets do not grow in this match."),
        (close_when_sent, "when-sent", "closes_when_sent", "Deadlines already pass at their set times."),
    ],
)
def test_two_hosts_who_both_switch_something_off_do_not_switch_it_on_again(
    console: Console, other: Console, draft: Match, host: Any, switch: Any, command: str, field: str, said: str
) -> None:
    switch(draft, host, True)
    address = f"{console.address}/do/{command}/"
    for each, typed in [(each, typed_in(text_of(each.client.get(address)), "data-once")) for each in (other, console)]:
        page = text_of(each.client.post(address, {**typed, "_confirm": "1"}, follow=True))
    assert said in page
    draft.refresh_from_db()
    assert not getattr(draft, field)
