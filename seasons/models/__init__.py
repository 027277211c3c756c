"""What is stored of seasons."""

from seasons.models.applications import Application, Call
from seasons.models.log import SeasonEntry, SeasonNews, SeasonRow
from seasons.models.predictions import Prediction
from seasons.models.season import Member, Season, SeasonInvitation, SeasonMatch, SeasonRole, SeasonWebhook
from seasons.models.viewers import SeasonViewer

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
