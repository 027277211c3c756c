"""Wrong passwords and codes: how many are looked at, by whom, and what people read when there were too many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import authenticate
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import KnownDevice, Tries, User
from accounts.sign_in import checks, tries
from accounts.sign_in.tries import Limit, TooMany
from accounts.tasks import tidy
from tests.accounts.conftest import PASSWORD

LOGIN = "/accounts/login/"
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@contextmanager
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The passwords that were compared with that of an account."""
    seen: list[str] = []
    compare = User.check_password
    with monkeypatch.context() as patch:
        patch.setattr(User, "check_password", lambda user, raw: seen.append(raw) or compare(user, raw))
        yield seen


def try_in(browser: Client, name: str = "ann", password: str = "wrong", address: str = "") -> Any:  # noqa: S107
    extra = {"REMOTE_ADDR": address} if address else {}
    return browser.post(LOGIN, {"login": name, "password": password}, **extra)


def signed_in(answer: Any) -> bool:
    return bool(answer.status_code == 302)


def error_in(answer: Any) -> str:
    found = re.search(r'class="[^"]*error[^"]*"[^>]*>(.*?)</(?:ul|p|div)>', answer.content.decode(), re.DOTALL)
    return " ".join(re.sub("<[^>]+>", " ", found[1]).split()) if found else ""


# -- the counters themselves ------------------------------------------------------------------------


def count(limits: list[Limit], now: datetime) -> datetime | None:
    """When the next try is possible; None if this one was counted."""
    try:
        tries.count(limits, now)
    except TooMany as refused:
        return refused.at
    return None


def test_a_limit_holds_for_any_stretch_of_its_length(db: None) -> None:
    limits = [Limit("bell", 3, timedelta(hours=1))]
    assert [count(limits, NOON + wait * MINUTE) for wait in (0, 40, 50)] == [None] * 3
    assert count(limits, NOON + 59 * MINUTE) == NOON + 60 * MINUTE
    assert count(limits, NOON + 60 * MINUTE) is None  # and no new hour has begun with it
    assert count(limits, NOON + 61 * MINUTE) == NOON + 100 * MINUTE


def test_a_try_counts_everywhere_or_nowhere(db: None) -> None:
    narrow, wide = Limit("narrow", 1, timedelta(hours=1)), Limit("wide", 2, timedelta(days=1))
    assert [count([wide, narrow], NOON) for _ in range(3)] == [None, *[NOON + timedelta(hours=1)] * 2]
    assert count([wide], NOON) is None
    assert count([wide, narrow], NOON) == NOON + timedelta(days=1)


def test_a_right_try_is_given_back_and_old_counters_are_deleted(db: None) -> None:
    limits = [Limit("bell", 1, timedelta(hours=1))]
    for _ in range(3):
        tries.give_back(tries.count(limits, NOON))
    assert count(limits, NOON) is None
    tries.tidy(NOON + 59 * MINUTE)
    assert Tries.objects.exists()
    tidy()
    assert Tries.objects.exists()  # noon is years away
    tries.tidy(NOON + 61 * MINUTE)
    assert not Tries.objects.exists()


def test_what_is_stored_tells_neither_names_nor_addresses(ann: User) -> None:
    try_in(Client(), "my secret, in the wrong field", address="192.0.2.77")
    stored = repr(list(Tries.objects.values_list()))
    assert Tries.objects.count() == 3
    assert "secret" not in stored
    assert "192.0.2.77" not in stored


# -- signing in -------------------------------------------------------------------------------------


def test_strangers_get_ten_tries_with_a_name_and_twenty_on_an_account(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["ann", "ANN", "ann@example.org", "Ann@Example.ORG"]
    with looked_at(monkeypatch) as seen:
        for number in range(60):
            try_in(Client(), names[number % 4], f"guess {number}", address=f"192.0.2.{number}")
    assert len(seen) == 20
    assert not signed_in(try_in(Client(), "ann", PASSWORD, address="192.0.2.99"))


def test_an_address_gets_twenty_tries_whatever_the_names(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        assert "not correct" in try_in(Client(), f"nobody{number}").content.decode()
    with looked_at(monkeypatch) as seen:
        assert "Too many tries" in try_in(Client(), "ann", PASSWORD).content.decode()
    assert seen == []
    assert signed_in(try_in(Client(), "ann", PASSWORD, address="192.0.2.1"))


def test_a_full_account_with_other_names_left_says_nothing_of_it(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence would tell that both names belong to one account."""
    monkeypatch.setattr(checks, "OF_AN_ACCOUNT", 2)
    told = [try_in(Client(), "ann").content.decode().count("Too many") for _ in range(3)]
    assert told == [0, 0, 0]
    with looked_at(monkeypatch) as seen:
        other = try_in(Client(), "ann@example.org", PASSWORD)
    assert (other.status_code, seen) == (200, [])
    assert "Too many" not in other.content.decode()


def test_the_refusal_says_when_and_the_same_of_every_name(ann: User) -> None:
    said = set()
    for name in ("ann", "bob"):
        for number in range(10):
            try_in(Client(), name, address=f"192.0.2.{number}")
        page = try_in(Client(), name, address="192.0.2.50").content.decode()
        said.add(re.search(r"Too many tries\. You can try again in [^<]+", page)[0])  # type: ignore[index]
    assert len(said) == 1
    assert "in 24 hours. A browser in which you have signed in before" in said.pop()


def test_a_device_that_is_known_is_not_held_up_by_strangers(ann: User) -> None:
    home = Client()
    assert signed_in(try_in(home, "ann", PASSWORD))
    cookie = home.cookies["device"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/", True, "Lax")
    home.post("/accounts/logout/")
    for number in range(25):
        try_in(Client(), ("ann", "ann@example.org")[number % 2])  # from the same address, too
    assert not signed_in(try_in(Client(), "ann", PASSWORD))
    assert signed_in(try_in(home, "ann", PASSWORD))
    home.post("/accounts/logout/")
    for _ in range(10):
        assert not signed_in(try_in(home))
    assert "Too many tries" in try_in(home, "ann", PASSWORD).content.decode()  # it has ten of its own


def test_a_device_is_known_to_those_who_signed_in_there_until_it_is_forgotten(ann: User, bob: User) -> None:
    home = Client()
    try_in(home, "ann", PASSWORD)
    page = home.get("/profile/devices/").content.decode()
    device = KnownDevice.objects.get(user=ann)
    assert f"/profile/devices/{device.pk}/forget/" in page
    other = Client()
    other.force_login(bob)
    assert other.post(f"/profile/devices/{device.pk}/forget/").status_code == 404
    home.post("/accounts/logout/")
    for _ in range(10):
        try_in(Client(), "bob")
    assert not signed_in(try_in(home, "bob", PASSWORD))  # ann's device is nothing to bob's account
    assert signed_in(try_in(home, "ann", PASSWORD))
    home.post(f"/profile/devices/{device.pk}/forget/")
    home.post("/accounts/logout/")
    for _ in range(10):
        try_in(Client(), "ann")
    assert not signed_in(try_in(home, "ann", PASSWORD))


def test_a_device_that_was_made_up_is_none(ann: User) -> None:
    forger = Client()
    forger.cookies["device"] = "InNlY3JldCI:1:abc"
    for _ in range(10):
        try_in(forger)
    assert not signed_in(try_in(forger, "ann", PASSWORD))


def test_a_new_password_forgets_all_devices_but_the_one_where_it_was_chosen(ann: User) -> None:
    thief, owner = Client(), Client()
    try_in(thief, "ann", PASSWORD)
    try_in(owner, "ann", PASSWORD)
    assert ann.known_devices.count() == 2
    new = "a short walk in the hills"
    answer = owner.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert answer.status_code == 302
    assert ann.known_devices.count() == 1
    owner.post("/accounts/logout/")
    for _ in range(10):
        try_in(thief, "ann")
    assert not signed_in(try_in(thief, "ann", new))
    assert signed_in(try_in(owner, "ann", new))


def test_only_the_devices_used_last_are_kept(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.sign_in.devices.MOST", 2)
    for name in ("one", "two", "three"):
        Client(headers={"User-Agent": name}).post(LOGIN, {"login": "ann", "password": PASSWORD})
    assert {device.browser for device in ann.known_devices.all()} == {"two", "three"}


def test_a_device_whose_cookie_no_longer_counts_is_forgotten(ann: User) -> None:
    for name in ("one", "two"):
        Client(headers={"User-Agent": name}).post(LOGIN, {"login": "ann", "password": PASSWORD})
    year = timedelta(days=365)
    for name, ago in (("one", year + MINUTE), ("two", year - MINUTE)):
        ann.known_devices.filter(browser=name).update(used_at=timezone.now() - ago)
    tidy()
    assert {device.browser for device in ann.known_devices.all()} == {"two"}


# -- every other door -------------------------------------------------------------------------------

WRONG = {"password": "wrong", "oldpassword": "wrong", "password1": "x", "password2": "x"}


@pytest.mark.parametrize("door", ["/accounts/reauthenticate/", "/accounts/password/change/"])
def test_a_person_inside_gets_ten_tries_and_strangers_do_not_use_them_up(
    ann: User, ann_client: Client, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("allauth.core.internal.ratelimit.consume", lambda *args, **kwargs: True)
    for number in range(20):
        try_in(Client(), ("ann", "ann@example.org")[number % 2], address=f"192.0.2.{number}")
    with looked_at(monkeypatch) as seen:
        answers = [ann_client.post(door, WRONG).content.decode() for _ in range(12)]
    assert len(seen) == 10
    assert ["Too many tries" in page for page in answers] == [False] * 10 + [True] * 2


def test_programs_that_authenticate_are_counted_too(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with looked_at(monkeypatch) as seen:
        for number in range(10):
            assert authenticate(None, username="ann", password=f"guess {number}") is None
        with pytest.raises(TooMany):
            authenticate(None, username="ann", password=PASSWORD)
    assert len(seen) == 10


def test_the_admin_has_no_door_of_its_own(ann: User) -> None:
    ann.is_staff = True
    ann.save()
    assert Client().get("/admin/login/")["Location"].startswith(LOGIN)
    inside = Client()
    inside.force_login(ann)
    assert inside.post("/admin/password_change/", {})["Location"] == "/accounts/password/change/"


def test_codes_are_counted_for_themselves(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only somebody who has the password gets to this door, so it has other counters than passwords."""
    monkeypatch.setattr(checks, "OF_A_DEVICE", 3)
    TOTP.activate(ann, generate_totp_secret())
    RecoveryCodes.activate(ann)
    found = Authenticator.objects.get(user=ann, type=Authenticator.Type.RECOVERY_CODES)
    code = found.wrap().get_unused_codes()[0]
    thief = Client()
    assert try_in(thief, "ann", PASSWORD, address="192.0.2.1")["Location"] == reverse("mfa_authenticate")
    door = reverse("mfa_authenticate")
    said = [thief.post(door, {"code": "000000"}, REMOTE_ADDR=f"192.0.2.{n}").content.decode() for n in range(21)]
    assert ["Too many tries" in page for page in said] == [False] * 20 + [True]
    assert "Too many tries" in thief.post(door, {"code": code}).content.decode()
    assert signed_in(try_in(Client(), "ann", PASSWORD))  # to the second factor
    inside = Client()
    inside.force_login(ann)
    again = reverse("mfa_reauthenticate")
    said = [inside.post(again, {"code": "000000"}).content.decode() for _ in range(4)]
    assert ["Too many tries" in page for page in said] == [False] * 3 + [True]


def test_the_right_password_of_a_closed_account_is_nobodys(ann: User) -> None:
    assert authenticate(None, username="ann", password=PASSWORD) == ann
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert authenticate(None, username="ann", password=PASSWORD) is None
