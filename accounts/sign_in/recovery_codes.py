"""The pages of recovery codes where the stored ones cannot be read: new ones can be made, and nothing fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.recovery_codes import views
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import path
from django.views.generic import FormView

from accounts.sign_in.sealed_seeds import UnreadableSeed

_WORDS = "Your recovery codes cannot be read any more. Make new ones: they take the place of the old."


class GenerateRecoveryCodes(views.GenerateRecoveryCodesView):
    """Codes that cannot be read do not work either, so none of them stops working."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any]
        try:
            shown = super().get_context_data(**kwargs)
        except UnreadableSeed:
            shown = {**FormView.get_context_data(self, **kwargs), "unused_code_count": 0}
        return shown


def _if_readable(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except UnreadableSeed:
            messages.error(request, _WORDS)
            return redirect("mfa_index")

    return shown


urlpatterns = [  # under the names that allauth's pages use
    path("", _if_readable(views.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("generate/", GenerateRecoveryCodes.as_view(), name="mfa_generate_recovery_codes"),
    path("download/", _if_readable(views.download_recovery_codes), name="mfa_download_recovery_codes"),
]
