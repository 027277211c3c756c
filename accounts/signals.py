"""What the rest of the site may want to hear about a person's access.

Signing out already has Django's own `user_logged_out`. Everything else that ends what somebody was
allowed a moment ago (a new password, a closed account, a revoked token) arrives here, after commit,
so that whoever holds an open connection for that person can drop it.
"""

from enum import StrEnum

from django.dispatch import Signal

access_changed = Signal()
"""Sent with `sender=User`, `user` (the person, perhaps deleted: rely on its pk alone) and `reason` (a `Reason`)."""


class Reason(StrEnum):
    NEW_PASSWORD = "new_password"  # noqa: S105  (a name, not a secret)
    DEACTIVATED = "deactivated"
    DELETED = "deleted"
    REVOKED_TOKEN = "revoked_token"  # noqa: S105
