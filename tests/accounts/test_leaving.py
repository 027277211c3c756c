"""Taking along what is stored of somebody, and deleting their account: names go, proofs stay."""

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth import get_user
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import ApiToken, User
from chat_commands.models import ChatAccount
from matches.models import Match, clock
from matches.proof import check_export
from matches.services import joining
from matches.services.errors import CommandRefused
from matches.services.replay import verify
from notices.models import Address, CalendarAddress, Notice
from seasons.models import Season
from seasons.queries.export import exported as exported_season
from seasons.services import people, running
from seasons.services.cast import add_member
from seasons.services.drafts import create_season
from seasons.services.verification import verify as verify_season
from tests.accounts.conftest import PASSWORD
from tests.services.conftest import Table, person, register_tiny_game

PAGE = "/profile/leave/"


@pytest.fixture
def table(db: None, monkeypatch: pytest.MonkeyPatch) -> Table:
    register_tiny_game(monkeypatch)
    return Table(clock.FixedTime(clock.now()))


def inside(user: User) -> Client:
    user.set_password(PASSWORD)
    user.save()
    client = Client()
    client.force_login(user)
    return client


def test_the_password_is_asked_for_again(ann: User) -> None:
    client = inside(ann)
    page = client.post(PAGE, {"password": "wrong"}).content.decode()
    assert "This is not your password." in page
    assert User.objects.get(pk=ann.pk).is_active
    assert client.post(PAGE, {"password": PASSWORD})["Location"] == "/"
    assert not User.objects.get(pk=ann.pk).is_active
    assert not get_user(client).is_authenticated  # type: ignore[arg-type]


def test_nothing_of_the_person_stays_in_the_account(ann: User) -> None:
    client = inside(ann)
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    ApiToken.issue(ann, "widget")
    client.post(PAGE, {"password": PASSWORD})
    gone = User.objects.get(pk=ann.pk)
    assert (gone.username, gone.display_name, gone.email) == (f"former.player.{ann.pk}", f"Former player {ann.pk}", "")
    kept = {"accounts.User", "admin.LogEntry"}
    for model in apps.get_models():
        for field in model._meta.fields:
            if field.related_model is User and model._meta.label not in kept:
                assert not model._default_manager.filter(**{field.name: ann.pk}).exists(), model
    assert Client().get("/people/ann/").status_code == 404


def test_a_running_match_goes_on_without_them_and_can_still_be_proved(table: Table) -> None:
    table.open()
    ann = User.objects.get(pk=table.users["ann"].pk)
    deletion.delete(ann)
    match = Match.objects.get(pk=table.match_id)
    place = match.players.get(handle="ann")
    assert (place.user, place.is_bot, place.name) == (None, False, f"Former player {ann.pk}")
    assert verify(match) == []
    told = match.announcements.get(kind="player_withdrawn")
    assert told.data["left"] == f"Former player {ann.pk}"
    joining.claim(joining.invitation_of(place), person("zoe"))
    assert match.players.get(handle="ann").shown_name == "ann"


def test_a_place_taken_in_another_tab_meanwhile_ends_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    zoe, close = person("zoe"), deletion._close

    def join_and_close(user: User, name: str) -> None:
        joining.add_player(table.match, user=user)
        close(user, name)

    monkeypatch.setattr(deletion, "_close", join_and_close)
    deletion.delete(User.objects.get(pk=zoe.pk))
    assert not table.match.players.filter(user=zoe).exists()
    with pytest.raises(CommandRefused, match="account is closed"):
        joining.add_player(table.match, user=zoe)


def test_matches_are_handed_over_first(table: Table) -> None:
    host = User.objects.get(pk=table.host.pk)
    client = inside(host)
    page = client.post(PAGE, {"password": PASSWORD}).content.decode()
    assert f"You own the match “{table.match.title}”." in page
    assert User.objects.get(pk=host.pk).is_active
    with pytest.raises(deletion.CannotLeave):
        deletion.delete(host)


def test_the_only_administrator_stays(db: None) -> None:
    boss = User.objects.create_superuser("boss")
    assert deletion.why_not(boss) == ["You are the only administrator. Make somebody else an administrator first."]
    User.objects.create_superuser("other")
    assert deletion.why_not(boss) == []


def test_one_file_has_all_that_is_ones_own_and_nothing_of_others(table: Table) -> None:
    table.open()
    table.act("ann", "buy_chips", count=1)
    table.act("bob", "buy_chips", count=2)
    ann = User.objects.get(pk=table.users["ann"].pk)
    client = inside(ann)
    tokens = {name: ApiToken.issue(ann, name)[0] for name in ("phone", "desk")}
    tokens["desk"].revoke()
    answer = client.get("/profile/export.json")
    assert "attachment" in answer["Content-Disposition"]
    assert "no-store" in answer["Cache-Control"]
    found = answer.json()
    assert (found["profile"]["username"], found["profile"]["mark"]) == (ann.username, None)
    assert [each["handle"] for each in found["matches"]["plays"]] == ["ann"]
    assert [each["payload"] for each in found["matches"]["did"] if each["kind"] == "action"] == [
        '{"count":1,"type":"buy_chips"}'
    ]
    assert {"seasons", "talk", "notebooks"} <= set(found)
    revoked = {each["name"]: each["revoked_at"] is not None for each in found["profile"]["api_tokens"]}
    assert revoked == {"phone": False, "desk": True}


def test_the_file_has_how_one_is_reached_and_what_one_was_told_but_no_key_to_it(ann: User) -> None:
    now = timezone.now()
    ChatAccount.objects.create(user=ann, chat_id="170017", linked_at=now)
    calendar = CalendarAddress.objects.create(user=ann, digest="d" * 64)
    secret = {"target": "https://push.example.org/open-sesame", "details": {"auth": "open-sesame"}}
    Address.objects.create(user=ann, channel="push", label="Firefox", created_at=now, **secret)
    Notice.objects.create(user=ann, source="1", event="news", title="News", text="A round is open.", at=now)
    answer = inside(ann).get("/profile/export.json")
    found = answer.json()
    assert [each["chat_id"] for each in found["chat"]] == ["170017"]
    assert len(found["calendars"]) == 1
    assert [each["label"] for each in found["notices"]["addresses"]] == ["Firefox"]
    assert [each["text"] for each in found["notices"]["told"]] == ["A round is open."]
    for key in ("open-sesame", calendar.nonce, calendar.digest):
        assert key not in answer.content.decode()


def test_a_running_season_goes_on_without_them_and_can_still_be_proved(db: None) -> None:
    hanna, zoe = person("hanna"), person("zoe")
    season = create_season("Autumn", hanna)
    add_member(season, hanna, "ann", user=zoe)
    add_member(season, hanna, "bob", is_bot=True)
    running.begin(season, hanna)
    assert deletion.why_not(hanna) == ["You own the season “Autumn”. Hand it over first."]
    season.roles.update(role="cohost")
    assert deletion.why_not(hanna)[0].startswith("You are the only host of the season “Autumn”.")
    deletion.delete(zoe)
    member = Season.objects.get(pk=season.pk).cast.get(handle="ann")
    assert (member.user, member.name) == (None, f"Former player {zoe.pk}")
    people.replace_person(season, hanna, member, person("eve"), "Eve plays on.")
    assert season.cast.get(handle="ann").shown_name == "ann"
    assert verify_season(Season.objects.get(pk=season.pk)) == []


def test_what_others_were_told_of_a_season_has_the_neutral_name(db: None) -> None:
    season, zoe = _over()
    here = {"user": User.objects.get(username="hanna"), "at": timezone.now(), "event": "news", "title": "Autumn"}
    for source, url in (("season:1:1", season.get_absolute_url()), ("season:2:1", "/seasons/another/")):
        Notice.objects.create(**here, source=source, url=url, text="zoe is out.")
    deletion.delete(zoe)
    told = Notice.objects.filter(user=here["user"], source__in=("season:1:1", "season:2:1")).order_by("source")
    assert list(told.values_list("text", flat=True)) == [f"Former player {zoe.pk} is out.", "zoe is out."]


def _over() -> tuple[Season, User]:
    """A season that has ended, and one of its members."""
    hanna, zoe = User.objects.create_user("hanna"), User.objects.create_user("zoe")
    season = create_season("Autumn", hanna)
    add_member(season, hanna, "ann", user=zoe)
    add_member(season, hanna, "bob", is_bot=True)
    running.begin(season, hanna)
    running.command(season, hanna, {"end": True})
    season.refresh_from_db()
    return season, zoe


def test_the_file_of_a_season_that_is_over_has_the_neutral_name(db: None) -> None:
    season, zoe = _over()
    deletion.delete(zoe)
    season.refresh_from_db()
    exported = exported_season(season)
    assert exported["cast"][0]["name"] == f"Former player {zoe.pk}"
    assert verify_season(season) == []
    assert check_export.prove(exported, [season.log_head])[0] == check_export.OK
