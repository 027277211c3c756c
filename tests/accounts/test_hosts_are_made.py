"""How administrators let somebody host, and what the page of an account offers."""

import pytest
from django.test import Client

from accounts.models import User
from matches.services.roles import HOSTS

pytestmark = pytest.mark.django_db


def test_a_button_beside_a_person_makes_them_a_host(admin_client: Client) -> None:
    ann = User.objects.create_user("ann", "ann@example.org")
    address = f"/admin/accounts/user/{ann.pk}/make-host/"
    page = admin_client.get("/admin/accounts/user/").content.decode()
    assert f'formaction="{address}"' in page
    assert "delete_selected" not in page
    assert admin_client.get(address).status_code == 403
    assert admin_client.post(address).status_code == 302
    ann.refresh_from_db()
    assert ann.is_staff
    assert ann.groups.filter(name=HOSTS).exists()
    assert f'formaction="{address}"' not in admin_client.get("/admin/accounts/user/").content.decode()
    client = Client()
    client.force_login(ann)
    assert client.post(address).status_code == 403
    assert client.get("/admin/matches/match/add/").status_code == 200
