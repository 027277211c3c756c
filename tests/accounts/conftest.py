import pytest
from django.core.cache import cache
from django.test import Client

from accounts.mail_queue import send_due
from accounts.models import User
from tests.fixtures.proven import proven

PASSWORD = "a long walk by the sea"


def deliver() -> None:
    """Send mail, as the task does, until none is waiting."""
    while send_due():
        pass


@pytest.fixture(autouse=True)
def _forget_rate_limits() -> None:
    """Clear allauth's rate limits, which the cache counts by account id: the next test's ann has the same id."""
    cache.clear()


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.org", PASSWORD)


@pytest.fixture
def ann_client(ann: User) -> Client:
    client = Client()
    client.force_login(ann)
    return proven(client)
