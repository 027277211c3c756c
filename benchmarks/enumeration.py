"""Whether the time of an answer tells who has an account: `python -m benchmarks.enumeration`.

Sign-in (by username, by email address), sign-up and forgotten passwords, each in turn for somebody who has an account
and for somebody who has none. From the two lists of times an observer would guess which is which: AUC is how often the
best guess by "the slower one has it" (or "the faster") is right, 0.5 by chance. The goal is at most 0.55. Passwords are
hashed with `--rounds` of PBKDF2; the product's own number hides more, but takes seconds for each sample.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from time import perf_counter

from benchmarks.lists import empty_database

Ask = Callable[[bool, int], None]
"""Ask as somebody who has an account (or not), for the so-manieth time."""


def auc(with_account: list[float], without: list[float]) -> float:
    """How often a time of the one list is longer than one of the other, or shorter if that is more often."""
    longer = sum((a > b) + (a == b) / 2 for a in with_account for b in without) / (len(with_account) * len(without))
    return max(longer, 1 - longer)


def measure(ask: Ask, samples: int) -> float:
    """The AUC of so many pairs, each in a random order."""
    times: dict[bool, list[float]] = {True: [], False: []}
    order = random.Random(14)
    for number in range(-5, samples):  # the first ones warm up
        for has_account in order.sample([True, False], 2):
            begin = perf_counter()
            ask(has_account, number)
            if number >= 0:
                times[has_account].append(perf_counter() - begin)
    return auc(times[True], times[False])


def doors(people: int) -> dict[str, Ask]:
    """What is asked at each door; so many people have an account."""
    from django.test import Client

    def post(path: str, number: int, **form: str) -> None:
        # Everybody comes from an address of their own, or the limits would be measured.
        browser = Client(
            HTTP_HOST="127.0.0.1", REMOTE_ADDR=f"10.{number % 250}.{random.randrange(250)}.{random.randrange(250)}"
        )
        answer = browser.post(path, form)
        assert answer.status_code in (200, 302), answer.status_code

    def name(has_account: bool, number: int) -> str:
        return f"{'person' if has_account else 'nobody'}{number % people:05}"

    def new(has_account: bool, number: int, email: str) -> None:
        words = {"password1": "a long walk by the sea", "password2": "a long walk by the sea"}
        post("/accounts/signup/", number, username=f"new{'ab'[has_account]}{number % 99999:05}", email=email, **words)

    return {
        "sign-in by username": lambda has, n: post("/accounts/login/", n, login=name(has, n), password="wrong"),
        "sign-in by email": lambda has, n: post(
            "/accounts/login/", n, login=f"{name(has, n)}@example.org", password="wrong"
        ),
        "forgotten password": lambda has, n: post("/accounts/password/reset/", n, email=f"{name(has, n)}@example.org"),
        "sign-up": lambda has, n: new(has, n, f"{name(has, n)}@example.org"),
    }


def main() -> None:
    """Measure every door and print its AUC."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=20_000)
    options = parser.parse_args()
    with empty_database():
        from allauth.account.models import EmailAddress
        from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

        from accounts.models import User
        from accounts.names import skeleton

        PBKDF2PasswordHasher.iterations = options.rounds
        hashed = make_password("right")
        names = [f"person{number:05}" for number in range(options.samples + 10)]
        people = User.objects.bulk_create(
            User(username=each, email=f"{each}@example.org", password=hashed, skeleton=skeleton(each)) for each in names
        )
        EmailAddress.objects.bulk_create(
            EmailAddress(user=each, email=each.email, verified=True, primary=True) for each in people
        )
        for door, ask in doors(len(people)).items():
            print(f"{door:22} AUC {measure(ask, options.samples):.3f}", flush=True)


if __name__ == "__main__":
    main()
