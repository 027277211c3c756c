"""Pages on which people take along what is stored of them, and delete their account."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import deletion
from accounts.models import User
from accounts.views import SignedInRequest


class LeaveForm(forms.Form):
    """Asks for the password; those who have none have just shown a key or a code (`leave`), and type their username."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    username = forms.CharField(label="Your username", help_text="Type it to confirm that you mean this account.")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        del self.fields["username" if user.has_usable_password() else "password"]

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self._user, typed):
            raise forms.ValidationError("This is not your password.", code="wrong_password")
        return typed

    def clean_username(self) -> str:
        typed: str = self.cleaned_data["username"]
        if typed.strip().lower() != self._user.username.lower():
            raise forms.ValidationError("This is not your username.", code="wrong_username")
        return typed


@login_required
@never_cache
@require_safe
def export(request: SignedInRequest) -> HttpResponse:
    answer = JsonResponse(deletion.export(request.user), json_dumps_params={"indent": 1, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="genius-{request.user.username}.json"'
    return answer


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: SignedInRequest) -> HttpResponse:
    if request.user.has_usable_password():
        return _leave(request)
    answer: HttpResponse = reauthentication_required(_leave)(request)
    return answer


def _leave(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # noqa: S101  # behind `login_required`
    reasons = deletion.why_not(user)
    form = LeaveForm(request.POST or None, user=user)
    if request.method == "POST" and not reasons and form.is_valid():
        try:
            deletion.delete(user)
        except deletion.CannotLeave as error:  # somebody has handed them a match meanwhile
            reasons = error.reasons
        else:
            logout(request)
            messages.success(request, "You have deleted your account.")
            return redirect("/")
    return render(request, "profile/leave.html", {"form": form, "reasons": reasons})
