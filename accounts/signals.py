"""The signal that somebody has lost access, on which other apps close the person's open connections.

It is sent after the commit: for a new password, a closed or deleted account, or a revoked token. Signing out has
Django's own signal, `user_logged_out`.
"""

from enum import StrEnum

from django.dispatch import Signal

access_changed = Signal()
"""Sent with `sender=User`, `user` (may be deleted already: use only its pk), `reason` (a `Reason`) and `token` (the
digest of the token that was revoked, or empty)."""


class Reason(StrEnum):
    NEW_PASSWORD = "new_password"  # noqa: S105  (a name, not a secret)
    DEACTIVATED = "deactivated"
    DELETED = "deleted"
    REVOKED_TOKEN = "revoked_token"  # noqa: S105
