"""Usernames, shown names, time zones, and the signal about a change of access."""

from typing import Any

import pytest

from accounts.models import ApiToken, User
from accounts.signals import Reason, access_changed


@pytest.fixture
def heard() -> Any:
    reasons: list[tuple[int, Reason]] = []

    def listen(sender: type[User], user: User, reason: Reason, **_: Any) -> None:
        reasons.append((user.pk, reason))

    access_changed.connect(listen)
    yield reasons
    access_changed.disconnect(listen)


def test_each_loss_of_access_is_told_after_commit(
    ann: User, heard: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    ann = User.objects.get(pk=ann.pk)
    pk = ann.pk
    token, _ = ApiToken.issue(ann, "widget")
    with django_capture_on_commit_callbacks(execute=True):
        ann.set_password("another long walk")
        ann.save()
        token.revoke()
        ann.is_active = False
        ann.save()
        assert heard == [], "nothing is told before it is certain"
        ann.delete()
    assert heard == [
        (pk, Reason.NEW_PASSWORD),
        (pk, Reason.REVOKED_TOKEN),
        (pk, Reason.DEACTIVATED),
        (pk, Reason.DELETED),
    ]
