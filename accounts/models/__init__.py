"""People and their keys."""

from accounts.models.picture import Picture
from accounts.models.queued_mail import QueuedMail
from accounts.models.token import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from accounts.models.user import FormerName, User, UserManager

__all__ = [
    "ApiToken",
    "FormerName",
    "Picture",
    "QueuedMail",
    "SecondFactorAsked",
    "TokenElsewhere",
    "TokenRefused",
    "User",
    "UserManager",
]
