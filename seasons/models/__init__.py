"""What is stored of seasons."""

from seasons.models.invitation import SeasonInvitation
from seasons.models.ledger import SeasonEntry
from seasons.models.log import SeasonRow
from seasons.models.match import SeasonMatch
from seasons.models.member import Member
from seasons.models.news import SeasonNews
from seasons.models.role import SeasonRole
from seasons.models.season import Season
from seasons.models.webhook import SeasonWebhook

__all__ = [
    "Member",
    "Season",
    "SeasonEntry",
    "SeasonInvitation",
    "SeasonMatch",
    "SeasonNews",
    "SeasonRole",
    "SeasonRow",
    "SeasonWebhook",
]
