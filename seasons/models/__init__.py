"""Models of seasons."""

from seasons.models.audience import Application, Call, Prediction, SeasonViewer
from seasons.models.log import SeasonEntry, SeasonNews, SeasonRow
from seasons.models.season import Member, Season, SeasonInvitation, SeasonMatch, SeasonRole, SeasonWebhook

__all__ = [
    "Application",
    "Call",
    "Member",
    "Prediction",
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
