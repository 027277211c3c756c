"""A chat account is linked by a code from the site."""

import re
from datetime import timedelta
from typing import Any

import pytest

from chat_commands import linking
from chat_commands.models import ChatAccount
from matches.models import clock
from tests.chat_commands.conftest import Chat
from tests.fixtures.proven import proven
from tests.web.conftest import Table, browser


@pytest.fixture
def users(db: None, present: clock.FixedTime) -> Any:
    return Table(present).users


def code_of(page: str) -> str:
    found = re.search(r'id="chat-code">([^<]+)<', page)
    assert found
    return found[1]


def test_a_code_from_the_site_links_once_and_the_page_ends_it(users: Any, chat: Chat) -> None:
    ann = browser(users["ann"])
    proven(ann)
    assert "chat-code" not in ann.look("/profile/chat/")
    code = code_of(ann.post("/profile/chat/code/").content.decode())
    assert f"as {users['ann'].username}" in chat.say("7", "genius", "link", code=f" {code.lower()} ")
    assert "not a valid code" in chat.say("8", "genius", "link", code=code)
    page = ann.look("/profile/chat/")
    assert "user ID 7" in page
    assert "Night table" in chat.say("7", "genius", "matches")
    assert ann.post("/profile/chat/unlink/").status_code == 302
    assert "not linked to an account" in chat.say("7", "genius", "matches")
    assert '/profile/chat/"' in page


def test_a_code_ends_after_a_while_and_with_the_next_one(users: Any, chat: Chat, present: clock.FixedTime) -> None:
    first = linking.new_code(users["ann"], present.instant)
    second = linking.new_code(users["ann"], present.instant)
    assert "not a valid code" in chat.say("7", "genius", "link", code=first)
    present.instant += linking.CODE_LASTS
    assert "not a valid code" in chat.say("7", "genius", "link", code=second)
    assert not ChatAccount.objects.exists()


def test_codes_cannot_be_guessed_on_and_on(users: Any, chat: Chat, present: clock.FixedTime) -> None:
    code = linking.new_code(users["ann"], present.instant)
    for _ in range(linking.MOST_TRIES):
        assert "not a valid code" in chat.say("7", "genius", "link", code="22222-22222")
    assert "too many codes" in chat.say("7", "genius", "link", code=code)
    present.instant += timedelta(minutes=11)
    code = linking.new_code(users["ann"], present.instant)
    assert "Linked" in chat.say("7", "genius", "link", code=code)


def test_a_new_password_and_a_closed_account_end_it(
    users: Any, chat: Chat, django_capture_on_commit_callbacks: Any
) -> None:
    for user, chat_id in (("ann", "7"), ("bob", "8")):
        ChatAccount.objects.create(user=users[user], chat_id=chat_id, linked_at=clock.now())
    users["bob"].is_active = False
    users["ann"].set_password("something quite new 7")
    with django_capture_on_commit_callbacks(execute=True):
        users["ann"].save()
        users["bob"].save()
    assert not ChatAccount.objects.exists()
