"""The admin's site: Django's own, in whose lists no address reads a column letter by letter."""

from __future__ import annotations

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


_ENDINGS = ("", "exact", "isnull", "isempty", "id__exact", "gte", "lt", "year", "month", "day")
"""How the filters that Django draws end."""


class DeclaredLookups(ModelAdmin):  # type: ignore[type-arg]
    """A list whose address can use its declared filters alone.

    Django lets the address filter by any of the model's columns: `?password__startswith=a` would tell a secret letter
    by letter, without a trace.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        declared = [self.date_hierarchy, *(each[0] if isinstance(each, tuple) else each for each in self.list_filter)]
        names = [getattr(each, "parameter_name", each) for each in declared]
        return any(lookup == f"{name}__{ending}".removesuffix("__") for name in names if name for ending in _ENDINGS)


class CheckedAdminSite(AdminSite):
    """Registers each model with `DeclaredLookups`, and refuses an address that names no field to look a row up by:
    Django asks whether a field may be used only where its name is not empty, and then looks for the empty one."""

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
    """Django's admin, with that site."""

    default_site = "genius_site.admin_site.CheckedAdminSite"
