import pytest
from django.core.cache import cache
from django.test import Client

from accounts.mail_queue import send_due
from accounts.models import User
from tests.fixtures.proven import proven

PASSWORD = "a long walk by the sea"


def deliver() -> None:
    """What the task does, until no letter waits."""
    while send_due():
        pass


@pytest.fixture(autouse=True)
def _forget_rate_limits() -> None:
    """Those of allauth count in the cache, by account: the next test's ann has the number of this one's."""
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
