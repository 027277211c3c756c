"""What is stored of seasons."""

from seasons.models.log import SeasonEntry, SeasonNews, SeasonRow
from seasons.models.season import Member, Season, SeasonInvitation, SeasonMatch, SeasonRole, SeasonWebhook
from seasons.models.viewers import SeasonViewer

__all__ = [
    "Member",
    "Season",
    "SeasonEntry",
    "SeasonInvitation",
    "SeasonMatch",
    "SeasonNews",
    "SeasonRole",
    "SeasonRow",
    "SeasonViewer",
    "SeasonWebhook",
]
