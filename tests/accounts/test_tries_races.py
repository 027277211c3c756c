"""Several processes that try passwords for one account at the same moment."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.services.racer import race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

PROCESSES = 4


def guess(times: int, **how: Any) -> Counter[str]:
    """How often four processes have their password looked at, each so many times."""
    User.objects.create_user("ann", "ann@example.org", PASSWORD)
    task = {"do": "guess", "times": times, **how}
    return sum(race([task] * PROCESSES), Counter())


def test_four_processes_together_have_ten_passwords_looked_at() -> None:
    assert guess(8) == {"looked at": 10, "refused": 22}


def test_control_without_the_lock_more_are_looked_at() -> None:
    assert guess(1, most=1, uncounted=True)["looked at"] > 1
