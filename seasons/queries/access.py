"""Who may see a season, and in which role."""

from typing import Any, NamedTuple

from django.db.models import QuerySet

from matches.models import Role
from matches.queries.places import latest
from matches.services.commands import role_of
from seasons.models import Member, Season
from seasons.services.invitations import OF_A_SEASON
from seasons.services.roles import open_console
from seasons.services.viewers import active


class SeasonHidden(LookupError):
    """The season does not exist, or this viewer may not see it; both get the same answer."""

    message = "There is no such season, or you may not see it."


class Viewer(NamedTuple):
    """A season and its viewer: `member` is the viewer's own place in the cast, `role` their role as a host. `watches`:
    the member whose trusted viewer they are."""

    season: Season
    user: Any
    member: Member | None
    role: Role | None
    watches: Member | None = None

    def audiences(self) -> tuple[str, ...]:
        """Return the audiences whose news this viewer reads."""
        mine = [f"player:{each.handle}" for each in (self.member, self.watches) if each]
        return ("everyone", *mine, *(("hosts",) if self.sees else ()))

    @property
    def acts(self) -> bool:
        """Whether the viewer can give commands."""
        return self.role is not None and self.role.acts

    @property
    def sees(self) -> bool:
        """Whether the viewer sees what hosts see."""
        return self.role is not None


def access_season(public_id: str, user: Any) -> Viewer:
    """Return the season with that id as this user sees it. Raises `SeasonHidden`. Only hosts see drafts."""
    season = Season.objects.filter(public_id=public_id).first()
    if season is None:
        raise SeasonHidden
    viewer = viewer_of(season, user)
    if not season.is_public and not viewer.sees:
        raise SeasonHidden
    return viewer


def watched_by(season: Season, user: Any) -> Member | None:
    """Return the member whose trusted viewer this person is, or None."""
    if not user.is_authenticated:
        return None
    found = active(season).filter(user_id=user.pk).first()
    return found.member if found else None


def viewer_of(season: Season, user: Any) -> Viewer:
    """Return a season and this person's part in it, without checking that they may see it."""
    member = season.cast.filter(user_id=user.pk).first() if user.is_authenticated else None
    role = role_of(season, user) if member is None else None
    return Viewer(season, user, member, role, watched_by(season, user) if role is None else None)


def note_look(viewer: Viewer) -> None:
    """Record that a host reads accounts before they are public; like opening the console, it bars them from the
    cast."""
    if viewer.sees and viewer.season.status != Season.Status.ENDED:
        open_console(viewer.season, viewer.user)


# -- invitations, as hosts see them --------------------------------------------------------------------------


def open_places(season: Season) -> QuerySet[Member]:
    """Return the open places in the order of the cast; none after the season's end."""
    if season.status == Season.Status.ENDED:
        return season.cast.none()
    return season.cast.filter(user=None, is_bot=False, status=Member.Status.IN).order_by("position", "pk")


def sent_in(season: Season) -> list[Any]:
    """Return the invitations that were made, sent or used, the latest first."""
    found = season.invitations.select_related("member", "sent_to", "used_by")
    return latest(found, OF_A_SEASON.code_of, is_over=season.status == Season.Status.ENDED)
