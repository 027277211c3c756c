import pytest
from django.test import Client

from accounts.letters import send_due
from accounts.models import User

PASSWORD = "a long walk by the sea"


def deliver() -> None:
    """What the task does, until no letter waits."""
    while send_due():
        pass


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
    return client
