"""People, their keys, and what is kept about how they sign in."""

from accounts.models.device import KnownDevice
from accounts.models.former_name import FormerName
from accounts.models.letter import Letter
from accounts.models.token import ApiToken, SecondFactorAsked, TokenElsewhere, TokenRefused
from accounts.models.tries import Tries
from accounts.models.user import User, UserManager

__all__ = [
    "ApiToken",
    "FormerName",
    "KnownDevice",
    "Letter",
    "SecondFactorAsked",
    "TokenElsewhere",
    "TokenRefused",
    "Tries",
    "User",
    "UserManager",
]
