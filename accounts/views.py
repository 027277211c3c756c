"""Views of one's own account: profile, picture, API tokens, export and deletion."""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import deletion, pictures
from accounts.cookies import CSRF_FAILED
from accounts.extensions import token_limits
from accounts.forms import ApiTokenForm, ProfileForm
from accounts.models import ApiToken, Picture, User
from accounts.sign_in import form_login_required

EXPIRED_SHOWN = timedelta(days=30)
"""How long an expired token stays in the list, to explain why a program no longer works."""


class SignedInRequest(HttpRequest):
    """The request of a view behind `login_required`, for type checkers."""

    user: User


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "You have saved your profile.")
        return redirect("accounts:profile")
    if request.method == "POST":
        # The form has already put what was typed into `request.user`, but the page's head, theme and zone should
        # show what is stored.
        request.user.refresh_from_db()
    return render(request, "profile/profile.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def picture(request: SignedInRequest) -> HttpResponse:
    """Show one's picture; a POST replaces it, or removes it (`remove`)."""
    form = pictures.PictureForm(request.POST, request.FILES) if request.method == "POST" else pictures.PictureForm()
    if "remove" in request.POST:
        Picture.objects.filter(user=request.user).delete()
        messages.success(request, "You have removed your picture.")
        return redirect("accounts:picture")
    if form.is_valid():
        pictures.keep(request.user, form.drawn)
        messages.success(request, "You have saved your picture.")
        return redirect("accounts:picture")
    context = {"form": form, "picture": Picture.objects.filter(user=request.user).first()}
    return render(request, "profile/picture.html", context, status=422 if form.errors else 200)


@require_safe
def picture_file(request: HttpRequest, token: str) -> HttpResponse:
    """Serve a picture to anybody who knows its address."""
    found = get_object_or_404(Picture, token=token)
    response = HttpResponse(bytes(found.data), content_type="image/png")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: SignedInRequest) -> HttpResponse:
    form = ApiTokenForm(request.POST or None, instance=ApiToken(user=request.user))
    made, secret = None, ""
    if request.method == "POST":
        with transaction.atomic():
            # Locked, so that the limit holds for parallel requests, and no token is made with an old password.
            stored = User.objects.select_for_update().get(pk=request.user.pk)
            if stored.password != request.user.password:
                return redirect("accounts:tokens")
            if form.is_valid():
                made, secret = form.issue()
                form = ApiTokenForm(instance=ApiToken(user=request.user))
    # Answered without a redirect, because the secret is stored nowhere.
    context = {"form": form, "made": made, "secret": secret, "tokens": _shown(request.user, made)}
    return render(request, "profile/tokens.html", context)


def _shown(user: User, *others: ApiToken | None) -> list[ApiToken]:
    """Return a person's tokens. Sets `only_for` on them and on `others`: the title of the match they are limited to."""
    found = list(user.api_tokens.filter(revoked_at=None, expires_at__gt=timezone.now() - EXPIRED_SHOWN))
    every = [*found, *(token for token in others if token)]
    ids = {token.limited_to for token in every if token.limited_to}
    titles = token_limits().titles(user, ids) if ids else {}
    for token in every:
        if token.limited_to:
            vars(token)["only_for"] = titles.get(token.limited_to, "a match that you can no longer see")
    return found


@form_login_required
@require_POST
def revoke_token(request: SignedInRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    token.revoke()
    ended = "removed" if token.is_expired else "revoked"
    messages.success(request, f"You have {ended} “{token.name}”. It no longer works.")
    return redirect("accounts:tokens")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a missing or old CSRF token: JSON for programs, a page for people."""
    if request.content_type == "application/json" or request.path.startswith("/api/"):
        return JsonResponse({"accepted": False, "code": "csrf_failed", "message": CSRF_FAILED}, status=403)
    return render(request, "403_csrf.html", status=403)


# -- leaving -------------------------------------------------------------------------------------------------


class LeaveForm(forms.Form):
    """Asks for the password; those without one have just shown a key or code (`leave`), and type their username."""

    password = forms.CharField(
        label="Your password", strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
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
        except deletion.CannotLeave as error:  # meanwhile somebody has handed them a match
            reasons = error.reasons
        else:
            logout(request)
            messages.success(request, "You have deleted your account.")
            return redirect("/")
    return render(request, "profile/leave.html", {"form": form, "reasons": reasons})
