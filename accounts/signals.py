"""The signal that somebody's access has ended, so that the person's open connections can be closed.

It is sent after commit, for a new password, a closed account or a revoked token. Signing out has Django's own signal,
`user_logged_out`.
"""

from enum import StrEnum

from django.dispatch import Signal

access_changed = Signal()
"""Sent with `sender=User`, `user` (may be deleted already: use only its pk) and `reason` (a `Reason`)."""


class Reason(StrEnum):
    NEW_PASSWORD = "new_password"  # noqa: S105  (a name, not a secret)
    DEACTIVATED = "deactivated"
    DELETED = "deleted"
    REVOKED_TOKEN = "revoked_token"  # noqa: S105
