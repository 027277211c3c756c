"""Admin pages of accounts, their email addresses, API tokens and second factors. Every change is logged."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.forms import CheckboxSelectMultiple
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from accounts.models import ApiToken, User

HOSTS = "Hosts"
"""The group that `matches.services.roles` creates; this app cannot import it from there."""


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Accounts are closed and never deleted here: matches, logs and ledgers name them."""

    list_display = ["username", "display_name", "email", "is_active", "is_host", "last_login", "date_joined"]
    list_filter = ["is_active", "is_staff", "is_superuser", "groups"]
    search_fields = ["username", "display_name", "email"]
    ordering = ["username"]
    date_hierarchy = "date_joined"
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["display_name", "email", "time_zone", "theme", "keeps_private"]}),
        (
            "Permissions",
            {
                "fields": ["is_active", "is_staff", "groups", "is_superuser"],
                "description": "Hosts have staff status and are in the group Hosts. To close an account, untick "
                "“active”: that also signs its owner out everywhere.",
            },
        ),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "groups":
            kwargs["widget"] = CheckboxSelectMultiple()
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        hosts = User.groups.through.objects.filter(user=OuterRef("pk"), group__name=HOSTS)
        found: QuerySet[User] = super().get_queryset(request)
        return found.annotate(in_hosts=Exists(hosts))

    @admin.display(description="hosts")
    def is_host(self, person: Any) -> str:
        """Whether they may host; beside those who may not, a button that sends the list's form to `make_host_view`."""
        if person.is_superuser or (person.is_staff and person.in_hosts):
            return "yes"
        if not person.is_active:
            return "–"
        return format_html(
            '<button type="submit" class="button" formaction="{}">Make host</button>',
            reverse("admin:accounts_user_make_host", args=[person.pk]),
        )

    def get_urls(self) -> list[URLPattern]:
        make = path(
            "<int:pk>/make-host/", self.admin_site.admin_view(self.make_host_view), name="accounts_user_make_host"
        )
        return [make, *super().get_urls()]

    def make_host_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make somebody a host of matches and seasons (POST, superusers only)."""
        person = get_object_or_404(User, pk=pk, is_active=True)
        if request.method != "POST" or not request.user.is_superuser:
            raise PermissionDenied
        person.is_staff = True
        person.save(update_fields=["is_staff"])
        person.groups.add(Group.objects.get(name=HOSTS))
        self.log_change(request, person, "Made a host.")
        self.message_user(request, f"{person.username} can now host matches at /admin/.", messages.SUCCESS)
        return redirect("admin:accounts_user_changelist")


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Administrators can only view and revoke tokens. Only owners create them, so nobody can act for somebody else."""

    list_filter = ["scope", ("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["user"]
    search_fields = ["user__username", "name", "prefix"]
    date_hierarchy = "created_at"
    list_display = fields = readonly_fields = (
        *("user", "name", "prefix", "scope", "limited_to", "created_at", "expires_at", "last_used_at", "revoked_at"),
    )
    actions = ["revoke_tokens"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Revoke (programs that use them stop working at once)", permissions=["change"])
    def revoke_tokens(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        living = queryset.filter(revoked_at=None).select_related("user")
        for token in living:
            token.revoke()
            self.log_change(request, token, "Revoked.")
        self.message_user(request, f"{len(living)} revoked.", messages.SUCCESS)


class AddressAdmin(EmailAddressAdmin):
    """Email addresses. A confirmed one can sign in and gets mail, so the admin history records who confirmed it."""

    @admin.action(description="Mark selected email addresses as confirmed")
    def make_verified(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        unconfirmed = list(queryset.filter(verified=False))
        super().make_verified(request, queryset)
        for address in EmailAddress.objects.filter(pk__in=[each.pk for each in unconfirmed], verified=True):
            self.log_change(request, address, "Marked as confirmed.")


class AuthenticatorAdmin(admin.ModelAdmin):
    """Second factors: when they were made and used, but not their secrets. Deleting one helps a person who lost it."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type", "created_at", "last_used_at"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
