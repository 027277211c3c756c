"""The console's pages of accounts, their addresses, tokens and second factors; each change is logged."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import ApiToken, User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    list_display = ["username", "display_name", "email", "is_active", "is_staff", "last_login", "date_joined"]
    list_filter = ["is_active", "is_staff", "is_superuser", "groups"]
    search_fields = ["username", "display_name", "email"]
    ordering = ["username"]
    date_hierarchy = "date_joined"
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["display_name", "email", "time_zone", "theme", "keeps_private"]}),
        (
            "May",
            {
                "fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"],
                "description": "To close an account, untick “active”: deleting it would damage its matches. "
                "A closed account is signed out everywhere at once.",
            },
        ),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Administrators can only view and revoke tokens. Only owners create them, so nobody can act for somebody else."""

    list_display = [
        *("user", "name", "prefix", "scope", "limited_to", "created_at", "expires_at", "last_used_at", "revoked_at"),
    ]
    list_filter = ["scope", ("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["user"]
    search_fields = ["user__username", "name", "prefix"]
    date_hierarchy = "created_at"
    fields = readonly_fields = (
        *("user", "name", "prefix", "scope", "limited_to", "created_at", "expires_at", "last_used_at", "revoked_at"),
    )
    actions = ["revoke_tokens"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Revoke: programs that use them are locked out at once", permissions=["change"])
    def revoke_tokens(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        living = queryset.filter(revoked_at=None).select_related("user")
        for token in living:
            token.revoke()
            self.log_change(request, token, "Revoked.")
        self.message_user(request, f"{len(living)} revoked.", messages.SUCCESS)


class AddressAdmin(EmailAddressAdmin):
    """Addresses of accounts. An address that counts as confirmed can sign in and get letters, so the console's history
    says who has said that it is."""

    @admin.action(description="Mark selected email addresses as verified")
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
