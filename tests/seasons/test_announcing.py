"""What the hosts of a season say to everybody is a row of its log, and is told wherever news of the season is told."""

import pytest
from django.test import Client

from accounts.models import User
from matches.services.commands import AlreadyDone, NotAHost
from matches.services.texts import BadText
from notices.models import Delivery, Notice
from notices.webhooks import add
from seasons import notices
from seasons.models import Season
from seasons.queries.export import exported
from seasons.services import running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify
from seasons.webhooks import SEASONS
from tests.seasons.admin.conftest import SeasonDesk

pytestmark = pytest.mark.django_db

SAID = "The next match begins on Friday.\nAsk us anything: https://example.org/rules"


def _season(host: User) -> Season:
    season = create_season("Autumn", host)
    for name in ("ann", "bob"):
        add_member(season, host, name, user=User.objects.create_user(name))
    running.begin(season, host)
    return Season.objects.get(pk=season.pk)


def test_everybody_is_told_and_the_season_still_proves() -> None:
    host = User.objects.create_superuser("holly")
    season = _season(host)
    default = add(season, host, "https://example.org/all", "json", SEASONS.by_default)
    other = add(season, host, "https://example.org/some", "json", ["season"])
    notices.tell()
    Delivery.objects.all().delete()
    SeasonDesk(host, season).do("announce", text=SAID)
    running.announce(season, host, "Something **newer**.")
    notices.tell()

    page = Client().get(season.get_absolute_url()).content.decode()
    assert page.index("Something newer.") < page.index("Standings") < page.index("The next match begins on Friday.")
    assert "The next match begins on Friday." in Client().get(f"{season.get_absolute_url()}story/").content.decode()
    told = Notice.objects.filter(event="season_news", text__contains="The host holly announces: The next match")
    assert {notice.user.username for notice in told} == {"ann", "bob"}
    assert {post.address_id for post in Delivery.objects.filter(notice=None)} == {default.pk}
    assert other.pk not in Delivery.objects.values_list("address", flat=True)
    assert "Announced: “The next match begins on Friday." in SeasonDesk(host, season).page()
    running.command(season, host, {"end": True})
    running.announce(season, host, "Thank you all.")
    season.refresh_from_db()
    assert verify(season) == []
    assert sum(row["facts"]["kind"] == "announce" for row in exported(season)["log"]) == 3


def test_what_is_no_text_others_and_a_second_click_are_refused() -> None:
    host = User.objects.create_user("holly", is_staff=True)
    season = _season(host)
    for text, code in (("  ", "text_missing"), ("x" * 2001, "text_too_long"), ("a\u202eb", "text_not_visible")):
        with pytest.raises(BadText) as refused:
            running.announce(season, host, text)
        assert refused.value.code == code
    with pytest.raises(NotAHost):
        running.announce(season, User.objects.get(username="ann"), "Hello")
    running.announce(season, host, "Hello", key="one")
    with pytest.raises(AlreadyDone):
        running.announce(season, host, "Hello", key="one")
    assert season.news.filter(kind="host_announced").count() == 1
