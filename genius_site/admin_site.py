"""Django's admin site, hardened so that filters in a URL cannot read secret columns letter by letter."""

from collections.abc import Callable
from functools import update_wrapper
from types import new_class
from typing import Any, TypeVar

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.exceptions import DisallowedModelAdminToField
from django.contrib.admin.options import TO_FIELD_VAR
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


_OF_A_FIELD = ("exact", "isnull", "isempty", "id__exact", "gte", "lt")
_OF_DATES = ("year", "month", "day", "gte", "lt")
"""Endings of the lookups that Django's own filters use."""

_LONGEST_SEARCH = 200


class DeclaredLookups(ModelAdmin):  # type: ignore[type-arg]
    """Admin lists that accept only their declared filters in the URL.

    Django lets a URL filter by any column of the model: `?password__startswith=a` would reveal a secret letter by
    letter, without a trace.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        allowed = {f"{self.date_hierarchy}__{ending}" for ending in _OF_DATES}
        for declared in self.list_filter:
            field = declared[0] if isinstance(declared, tuple) else declared
            if isinstance(field, str):
                allowed |= {f"{field}__{ending}" for ending in _OF_A_FIELD}
            else:
                allowed.add(getattr(field, "parameter_name", ""))
        is_date = not lookup.endswith("__year") or (value.isascii() and value.isdecimal() and 0 < int(value[:5]) < 9999)
        return lookup in allowed and is_date

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Search only for the beginning of long texts, as databases limit the number of conditions."""
        return super().get_search_results(request, queryset, search_term[:_LONGEST_SEARCH])


class CheckedAdminSite(AdminSite):
    """Registers each model with `DeclaredLookups`, and refuses an empty `_to_field`: Django checks the field only if
    its name is not empty, and then looks up the empty one."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        given: Any = admin_class or ModelAdmin
        super().register(model_or_iterable, new_class(given.__name__, (DeclaredLookups, given)), **options)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        allowed = super().admin_view(view, cacheable)

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.POST.get(TO_FIELD_VAR, request.GET.get(TO_FIELD_VAR)) == "":
                raise DisallowedModelAdminToField("An empty field cannot be referenced.")
            return allowed(request, *args, **kwargs)

        return update_wrapper(checked, allowed)  # type: ignore[return-value]


class CheckedAdminConfig(AdminConfig):
    """Django's admin app with `CheckedAdminSite`."""

    default_site = "genius_site.admin_site.CheckedAdminSite"
