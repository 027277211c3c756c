"""What is stored of seasons."""

from seasons.models.log import SeasonEntry, SeasonNews, SeasonRow
from seasons.models.season import Member, Season, SeasonInvitation, SeasonMatch, SeasonRole
from seasons.models.webhook import SeasonPost, SeasonWebhook

__all__ = [
    "Member",
    "Season",
    "SeasonEntry",
    "SeasonInvitation",
    "SeasonMatch",
    "SeasonNews",
    "SeasonPost",
    "SeasonRole",
    "SeasonRow",
    "SeasonWebhook",
]
