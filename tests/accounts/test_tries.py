"""Wrong passwords and codes: how many are looked at, and what people read when there were too many."""

import re
from typing import Any

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import authenticate
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import PASSWORD, deliver

LOGIN = "/accounts/login/"
TOO_MANY = "tried too many times"


def try_in(name: str = "ann", password: str = "", address: str = "192.0.2.1", browser: Any = None) -> Any:
    return (browser or Client()).post(LOGIN, {"login": name, "password": password or "wrong"}, REMOTE_ADDR=address)


def says_too_many(answer: Any) -> bool:
    return answer.status_code == 200 and TOO_MANY in answer.content.decode()


def test_ten_tries_with_one_name_whether_somebody_has_it_or_not(ann: User) -> None:
    for name in ("ann", "nobody"):
        said = [says_too_many(try_in(name.upper(), address=f"192.0.2.{n}")) for n in range(12)]
        assert said == [False] * 10 + [True] * 2
    assert says_too_many(try_in("ann", PASSWORD, address="192.0.2.99")), "nothing is looked at, right or wrong"


def test_twenty_tries_from_one_address_whatever_the_names(ann: User) -> None:
    assert [says_too_many(try_in(f"nobody{n}")) for n in range(21)] == [False] * 20 + [True]
    assert says_too_many(try_in("ann", PASSWORD))
    assert try_in("ann", PASSWORD, address="192.0.2.2").status_code == 302


def test_right_passwords_use_nothing_up(ann: User) -> None:
    assert [try_in("ann", PASSWORD).status_code for _ in range(25)] == [302] * 25


def test_whose_tries_strangers_have_used_up_gets_in_by_a_letter(ann: User) -> None:
    for n in range(11):
        try_in(ann.email, address=f"192.0.2.{n}")
    assert says_too_many(try_in(ann.email, PASSWORD))
    Client().post(reverse("account_reset_password"), {"email": ann.email})
    deliver()
    (link,) = re.findall(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)
    browser, new = Client(), "another long walk"
    browser.post(browser.get(link)["Location"], {"password1": new, "password2": new})
    assert try_in(ann.email, new).status_code == 302


def test_who_is_inside_is_asked_again_and_counted_too(ann: User, ann_client: Client) -> None:
    door, wrong = "/accounts/reauthenticate/", {"password": "wrong"}
    pages = [ann_client.post(door, wrong) for _ in range(11)]
    assert says_too_many(pages[10]) or pages[10].status_code == 429
    wrong = {"oldpassword": "wrong", "password1": "x", "password2": "x"}
    codes = [ann_client.post("/accounts/password/change/", wrong).status_code for _ in range(11)]
    assert codes == [200] * 10 + [429]


def test_codes_are_counted_for_themselves(ann: User) -> None:
    TOTP.activate(ann, generate_totp_secret())
    thief, door = Client(), reverse("mfa_authenticate")
    assert try_in("ann", PASSWORD, browser=thief)["Location"] == door
    said = [says_too_many(thief.post(door, {"code": "000000"}, REMOTE_ADDR=f"192.0.2.{n}")) for n in range(11)]
    assert said == [False] * 10 + [True]
    assert try_in("ann", PASSWORD)["Location"] == door


def test_the_admin_has_no_door_of_its_own(ann: User) -> None:
    ann.is_staff = True
    ann.save()
    assert Client().get("/admin/login/")["Location"].startswith(LOGIN)
    inside = Client()
    inside.force_login(ann)
    assert inside.post("/admin/password_change/", {})["Location"] == "/accounts/password/change/"


def test_the_right_password_of_a_closed_account_is_nobodys(ann: User) -> None:
    assert authenticate(None, username="ann", password=PASSWORD) == ann
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert authenticate(None, username="ann", password=PASSWORD) is None
