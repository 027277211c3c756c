"""What the rest of the site may want to hear about a person's access.

Signing out already has Django's own `user_logged_out`. Everything else that ends what somebody was
allowed a moment ago (a new password, a closed account, a revoked token) arrives here, after commit,
so that whoever holds an open connection for that person can drop it.
"""

from django.dispatch import Signal

# Sent with: sender=User, user (the person), reason (one of the words below).
access_changed = Signal()

PASSWORD_CHANGED = "password_changed"
DEACTIVATED = "deactivated"
DELETED = "deleted"
TOKEN_REVOKED = "token_revoked"
