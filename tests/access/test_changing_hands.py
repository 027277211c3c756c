"""A place that changes hands while somebody still looks from it."""

import pytest

from matches.live.admission import admit_to_match
from matches.live.snapshots import FORMATS, Format, match_snapshots
from matches.models import Match
from matches.services import joining
from matches.services.hosting import publish
from tests.access.cast import Cast


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.django_db
def test_who_has_left_sees_nothing_of_who_came_instead(form: Format) -> None:
    """The first one's socket stays open while the place is given back, taken by another, and played from."""
    cast = Cast()
    match = cast.matches["draft"]

    def keys_of(role: str) -> tuple[object, ...]:
        cookie = "; ".join(f"{name}={each.value}" for name, each in cast.browser(role).cookies.items())
        return admit_to_match({b"cookie": cookie.encode()}, match.public_id, form).keys

    before = keys_of("player")
    place = match.players.get(user=cast.people["player"])
    joining.leave(match, cast.people["player"])
    place.refresh_from_db()
    joining.claim(joining.invitation_of(place), cast.people["stranger"])
    publish(Match.objects.get(pk=match.pk), cast.people["host"])

    after = keys_of("stranger")
    assert (before[1].player, after[1].player) == (place.pk, place.pk)  # type: ignore[attr-defined]
    look = match_snapshots(match.pk, {*before, *after})  # type: ignore[arg-type]
    assert look is not None
    assert before[1] not in look.snapshots  # whoever waits for it is turned out
    assert after[1] in look.snapshots
