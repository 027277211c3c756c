"""People and their keys."""

from accounts.models.letter import Letter
from accounts.models.token import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from accounts.models.user import FormerName, User, UserManager

__all__ = [
    "ApiToken",
    "FormerName",
    "Letter",
    "SecondFactorAsked",
    "TokenElsewhere",
    "TokenRefused",
    "User",
    "UserManager",
]
