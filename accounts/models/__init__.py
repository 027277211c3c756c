"""People and their keys."""

from accounts.models.token import ApiToken, TokenRefused
from accounts.models.user import User, UserManager

__all__ = ["ApiToken", "TokenRefused", "User", "UserManager"]
