"""Signing up through another site: if somebody else takes the username at the same moment, another one is asked for."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal.flows.login import complete_login
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.discord.provider import DiscordProvider
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import User
from accounts.models.user import TAKEN, UserManager
from accounts.validators import skeleton

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def discord(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.load()
    monkeypatch.setitem(registry.provider_map, "discord", DiscordProvider)
    settings.SOCIALACCOUNT_PROVIDERS = {"discord": {"APPS": [{"client_id": "x", "secret": "y"}]}}


@pytest.fixture
def rival(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets somebody take a name right after the next person's name was checked."""
    looks_taken = UserManager.looks_taken

    def take(name: str) -> None:
        User.objects.bulk_create([User(username=name, skeleton=skeleton(name))])
        early = iter([False])
        monkeypatch.setattr(UserManager, "looks_taken", lambda *asked: next(early, looks_taken(*asked)))

    return take


def visit(client: Client) -> Any:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    request.session = client.session
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
    return request


def login_of(request: Any, username: str, uid: str = "1") -> SocialLogin:
    provider = get_adapter().get_provider(request, "discord")
    account = SocialAccount(provider="discord", uid=uid, extra_data={})
    email = EmailAddress(email=f"{username}@example.org", verified=True, primary=True)
    return SocialLogin(user=User(username=username), account=account, email_addresses=[email], provider=provider)


def come(client: Client, username: str, uid: str = "1") -> tuple[Any, list[str]]:
    """A person comes back from Discord; the answer, and what is told with it."""
    request = visit(client)
    with context.request_context(request):
        answer = complete_login(request, login_of(request, username, uid))
    request.session.save()
    return answer, [str(message) for message in get_messages(request)]


def test_a_name_that_is_free_is_taken_over(client: Client) -> None:
    answer, _ = come(client, "bill")
    assert answer.url == "/me/"
    assert User.objects.get().username == "bill"


@pytest.mark.both
def test_who_comes_second_is_told_that_the_name_is_taken(client: Client, rival: Callable[[str], None]) -> None:
    rival("BiIl")
    answer, told = come(client, "bill")
    assert answer.url == reverse("account_login")
    assert told == [TAKEN]
    assert [user.username for user in User.objects.all()] == ["BiIl"]
    assert not SocialAccount.objects.exists()


def test_one_person_who_comes_twice_at_once_is_asked_to_sign_in(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = User.objects.create(username="other")
    SocialAccount.objects.create(user=other, provider="discord", uid="1", extra_data={})
    monkeypatch.setattr(SocialLogin, "lookup", lambda self: None)  # it was not there yet
    answer, told = come(client, "bill")
    assert answer.url == reverse("account_login")
    assert told == ["You have just made this account. Please sign in to it."]
    assert [user.username for user in User.objects.all()] == ["other"]
