"""People and their keys."""

from accounts.models.former_name import FormerName
from accounts.models.letter import Letter
from accounts.models.token import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from accounts.models.user import User, UserManager

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
