"""The admin's site: Django's own, which fails on an empty `_to_field`."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.exceptions import DisallowedModelAdminToField
from django.contrib.admin.options import TO_FIELD_VAR
from django.http import HttpRequest, HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class CheckedAdminSite(AdminSite):
    """Refuses an address that names no field to look a row up by. Django asks whether a field may be used only where
    its name is not empty, and then looks for the empty one."""

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        allowed: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.POST.get(TO_FIELD_VAR, request.GET.get(TO_FIELD_VAR)) == "":
                raise DisallowedModelAdminToField("An empty field cannot be referenced.")
            return allowed(request, *args, **kwargs)

        return cast(View, update_wrapper(checked, allowed))


class CheckedAdminConfig(AdminConfig):
    """Django's admin, with that site."""

    default_site = "genius_site.admin_site.CheckedAdminSite"
