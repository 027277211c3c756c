"""No two usernames look alike, and nobody is called what the site itself is called."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.models.user import TAKEN
from accounts.validators import looks, skeleton, validate_visible
from tests.accounts.conftest import PASSWORD

ALIKE = [
    ("Ann", "ANN"),
    ("Ann", "Аnn"),  # Cyrillic
    ("Ann", "Αnn"),  # Greek
    ("Ann", "Ａｎｎ"),
    ("Ann", "𝓐𝓷𝓷"),
    ("Ann", "A\u0301nn"),
    ("Ann", "Ánn"),
    ("Ann", "A\u200dnn"),
    ("Ann", "A\u3164nn"),
    ("Ann", " Ann."),
    ("Ann B", "ann_b"),
    ("Bill", "BiIl"),
    ("Bill", "Bi11"),
    ("KAI", "kai"),
    ("KAI", "KAl"),
    ("Bob", "B0b"),
    ("BOB", "ВОВ"),
    ("Кот", "Kot"),
    ("Søren", "Soren"),
    ("modern", "modem"),
    ("wim", "vvim"),
    ("Strauß", "Strauss"),
    ("👨\u200d👩", "👨👩"),
]


def test_names_that_look_alike_are_known() -> None:
    for one, other in ALIKE:
        assert looks(one) & looks(other)


UNSEEN = [
    *("\u200b", "\u200d", "\u202eabc", "a\u2066b", "\ufeff", "a\x1b[31m", "\xad", "\u2800", "a\u3164b", "a\x00"),
]


def test_what_shows_nothing_or_turns_the_direction_is_no_text() -> None:
    for text in UNSEEN:
        with pytest.raises(ValidationError, match="visible characters only"):
            validate_visible(text)


def sign_up(username: str) -> Any:
    form = {"email": "new@example.org", "password1": PASSWORD}
    return Client().post(reverse("account_signup"), {"username": username, **form})


def test_a_username_that_looks_like_another_is_refused_at_its_field(db: None) -> None:
    User.objects.create_user("bill")
    User.objects.create_user("B.ill")
    for username in ("BiII", "bi11", "BILL", "b-ill"):
        page = sign_up(username).content.decode()
        assert 'id="id_username_error"' in page
        assert TAKEN in page
        assert User.objects.count() == 2


def test_a_reserved_username_is_refused_at_its_field(db: None) -> None:
    for username in ("moderator", "Adm1n", "clock"):
        page = sign_up(username).content.decode()
        assert 'id="id_username_error"' in page
        assert "is reserved" in page
        assert not User.objects.exists()


def test_a_rename_is_checked_and_a_mere_save_is_not(ann: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(username="Ann.", skeleton=None)  # from before this was checked
    both = User.objects.get(pk=ann.pk), User.objects.get(pk=bob.pk)
    for user in both:
        user.display_name = "Ann"
        user.full_clean(exclude=["password"])
        user.save()
    renamed = User.objects.get(pk=bob.pk)
    renamed.username = "A.n.n"
    renamed.full_clean(exclude=["password"])
    renamed.save(update_fields=["username"])
    assert User.objects.get(skeleton=skeleton("A n n")).pk == bob.pk
    renamed.username = "Аnn"
    with pytest.raises(IntegrityError), transaction.atomic():
        renamed.save()


@pytest.mark.both
def test_of_two_who_take_a_name_at_the_same_moment_one_is_told(transactional_db: Any) -> None:
    names = ["bill", "BiIl", "Bill", "bi-ll", "bi.ll", "bi_ll"]
    barrier = Barrier(len(names))

    def take(name: str) -> tuple[int, bool]:
        try:
            email = f"person{names.index(name)}@example.org"
            form = {"username": name, "email": email, "password1": PASSWORD}
            client = Client(REMOTE_ADDR=f"10.0.0.{names.index(name)}")
            barrier.wait(20)
            answer = client.post(reverse("account_signup"), form)
            return answer.status_code, TAKEN in answer.content.decode()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(names)) as threads:
        answers = sorted(threads.map(take, names))
    assert answers == [(200, True)] * 4 + [(302, False)] * 2
    assert sorted(User.objects.values_list("skeleton", flat=True)) == ["bi-ll", "bill"]


def test_a_former_name_stays_taken_for_everybody_but_whose_it_was(ann: User, bob: User) -> None:
    """Old links lead to it, and logs name the account by it."""
    ann = User.objects.get(pk=ann.pk)
    ann.username = "annika"
    ann.save()
    for name in ("ann", "ANN", "Аnn"):
        assert User.objects.looks_taken(name)
    alice = User.objects.create_user("alice")
    alice.username = "alicia"
    alice.save()
    User.objects.create_user("Willi").delete()
    for name in ("ALICE", "alice", "WILLI", "willi"):  # a capital I looks like a small l, and a small i does not
        assert User.objects.looks_taken(name)
    bob = User.objects.get(pk=bob.pk)
    bob.username = "ann"
    with pytest.raises(ValidationError, match="taken"):
        bob.full_clean(exclude=["password"])
    ann.username = "ann"
    ann.full_clean(exclude=["password"])
    ann.save()
    assert User.objects.looks_taken("annika", besides=bob.pk)
    assert not User.objects.looks_taken("annika", besides=ann.pk)
