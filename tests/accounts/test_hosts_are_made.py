"""How administrators let somebody host, and what the page of an account offers."""

import pytest
from django.test import Client

from accounts.models import User
from matches.services.roles import HOSTS

pytestmark = pytest.mark.django_db


def test_an_action_of_the_list_makes_people_hosts(admin_client: Client) -> None:
    ann = User.objects.create_user("ann", "ann@example.org")
    address, typed = "/admin/accounts/user/", {"action": "make_hosts", "_selected_action": ann.pk}
    page = admin_client.get(address).content.decode()
    assert "Make hosts" in page
    assert "delete_selected" not in page
    client = Client()
    client.force_login(ann)
    assert client.post(address, typed).status_code == 302
    assert not User.objects.get(pk=ann.pk).is_staff
    assert admin_client.post(address, typed).status_code == 302
    ann.refresh_from_db()
    assert ann.is_staff
    assert ann.groups.filter(name=HOSTS).exists()
    assert client.post(address, typed).status_code == 403
    assert client.get("/admin/matches/match/add/").status_code == 200
