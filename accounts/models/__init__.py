"""Models of people, their API tokens, pictures, former names and queued mail."""

from accounts.models.token import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from accounts.models.user import FormerName, Picture, QueuedMail, User, UserManager

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
