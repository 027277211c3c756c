"""`manage.py demo`: something to look at, something to do, and matches for load tests."""

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.models import User
from matches.demo import people
from tests.services.conftest import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["ann", "Ann."])
def test_a_real_person_with_the_name_of_a_demo_player_keeps_it(db, name):
    ann = person(name)
    made = people.make_people()
    assert made.players["ann"] != ann
    assert made.players["ann"].username == "demo-ann"
    ann.refresh_from_db()
    assert not ann.check_password(people.demo_password())


def test_a_real_site_refuses_the_demo_unless_it_is_really_meant(db, monkeypatch):
    monkeypatch.setattr(settings, "LOCAL", False)
    with pytest.raises(CommandError, match="--yes-really"):
        call_command("demo")
    assert not User.objects.exists()
