"""Whatever administrators do to accounts leaves who, when and what, in the history of what they did it to.

Each page and action of the console that changes something of an account is carried out, as the console itself lists
them: one that is new is tried without an edit here.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import models, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db

import_module(settings.ROOT_URLCONF)  # some of the console is registered there

OF_ACCOUNTS = {"accounts", "account", "auth", "mfa"}
Row = Any
Fields = dict[str, Any]

NEW_PASSWORD = "another walk by the sea"
ROWS: dict[type[models.Model], Callable[[User], Row]] = {
    User: lambda ann: ann,
    Group: lambda ann: Group.objects.create(name="helpers"),
    ApiToken: lambda ann: ApiToken.issue(ann, "widget")[0],
    Authenticator: lambda ann: TOTP.activate(ann, generate_totp_secret()).instance,
    EmailAddress: lambda ann: EmailAddress.objects.create(user=ann, email="other@example.org"),
}
# What can be changed on their pages; tokens and second factors can only be read there.
CHANGES: dict[type[models.Model], Fields] = {
    User: {"is_active": None},
    Group: {"name": "others"},
    EmailAddress: {"email": "third@example.org"},
}


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser("boss", "boss@example.org", PASSWORD)


@pytest.fixture
def desk(boss: User) -> Client:
    client = Client()
    client.force_login(boss)
    return client


def _address(model: Any, page: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def _typed(form: Any) -> Iterator[tuple[str, Any]]:
    """What a browser sends of a form that nobody has changed."""
    for name in form.fields:
        value = form[name].value()
        if isinstance(value, datetime):
            yield f"{name}_0", f"{value.astimezone(UTC):%Y-%m-%d}"
            yield f"{name}_1", f"{value.astimezone(UTC):%H:%M:%S}"
        elif value not in (None, False, ""):
            yield name, getattr(value, "pk", value)


def _change(desk: Client, row: Row) -> None:
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="boss")
    form = admin.site.get_model_admin(type(row)).get_form(request, row, change=True)(instance=row)
    sent = dict(_typed(form)) | CHANGES[type(row)]
    answer = desk.post(
        _address(type(row), "change", row.pk), {name: value for name, value in sent.items() if value is not None}
    )
    assert answer.status_code == 302, answer.content.decode()


def _delete(desk: Client, row: Row) -> None:
    assert desk.post(_address(type(row), "delete", row.pk), {"post": "yes"}).status_code == 302


def _action(name: str) -> Callable[[Client, Row], None]:
    def act(desk: Client, row: Row) -> None:
        sent = {"action": name, "_selected_action": [row.pk], "post": "yes"}
        assert desk.post(_address(type(row), "changelist"), sent).status_code == 302

    return act


def _password(desk: Client, row: Row) -> None:
    sent = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "usable_password": "true"}
    assert desk.post(reverse("admin:auth_user_password_change", args=[row.pk]), sent).status_code == 302


def _everything(boss: User, row: Row) -> dict[str, Callable[[Client, Row], None]]:
    """What the console lets an administrator do to this row."""
    request = RequestFactory().get("/")
    request.user = boss
    console = admin.site.get_model_admin(type(row))
    found = {name: _action(name) for name in console.get_actions(request)}
    if console.has_change_permission(request) and type(row) in CHANGES:
        found["change"] = _change
    if console.has_delete_permission(request):
        found["delete"] = _delete
    if isinstance(row, User):
        found["password"] = _password
    return found


def of(entry: LogEntry) -> tuple[str, str]:
    """The app and the name of what a row is about."""
    assert entry.content_type is not None
    return entry.content_type.natural_key()


def test_everything_of_an_account_is_here() -> None:
    assert set(ROWS) == {model for model in admin.site._registry if model._meta.app_label in OF_ACCOUNTS}


@pytest.mark.parametrize("model", ROWS, ids=lambda model: model.__name__)
def test_what_is_done_to_an_account_has_its_row(desk: Client, boss: User, ann: User, model: type[Any]) -> None:
    row = ROWS[model](ann)
    told, since = (model._meta.app_label, model._meta.model_name, str(row.pk)), timezone.now()
    for name, do in _everything(boss, row).items():
        with transaction.atomic():
            do(desk, row)
            found = LogEntry.objects.filter(user=boss, action_time__gte=since)
            rows = [(*of(each), each.object_id) for each in found]
            assert rows == [told], f"“{name}” leaves {rows}"
            assert all(each.get_change_message() or each.is_deletion() for each in found), f"“{name}” says not what"
            transaction.set_rollback(True)
