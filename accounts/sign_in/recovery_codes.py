"""Recovery codes, of which only hashes are stored: they are shown once, on the page that makes them.

allauth's own can be read again, so they are kept in a form that can be opened. Here the row of a person has hashes
where allauth has codes, and the forms hand on the hash of what was typed; that each works once is allauth's doing.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views
from allauth.mfa.recovery_codes.internal import flows
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.internal import auth
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.crypto import get_random_string
from django.views.generic import FormView

from accounts.models import User
from accounts.sign_in import first_things_first
from accounts.sign_in.sealed_seeds import UnreadableSeed

COUNT = 10
AT_A_TIME = 20
"""Of how many people the old codes are hashed in one go: each takes seconds."""

_LETTERS, _LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 24  # 118 random bits, so that a quick hash will do
_QUICK, _SLOW = "sha256$", PBKDF2PasswordHasher()
_HASHES = "migrated_codes"  # where allauth looks for codes that are not made of a seed


def stored_form(person: Any, typed: str) -> str:
    """What to look for where a person has typed a code: its hash, or what was typed where that is a code of an app, or
    where the codes of an older release are not hashed yet. A hash that somebody types gets hashed too."""
    bare = _bare(typed)
    row = Authenticator.objects.filter(user=person, type=Authenticator.Type.RECOVERY_CODES).first()
    if row is None or re.fullmatch(r"[0-9]{6}", bare) or not _is_hashed(row.data):
        return typed
    slow = next((each for each in row.data[_HASHES] if not each.startswith(_QUICK)), None)
    if slow is None:
        return _quick_hash(bare)
    parts: dict[str, Any] = {**_SLOW.decode(slow)}
    return _SLOW.encode(bare, parts["salt"], parts["iterations"])


def hash_old() -> int:
    """Hash codes that an older release has stored so that they can be read; of how many people. They go on working. A
    row that changes meanwhile, because one of them is used, has its turn next time."""
    count = 0
    for row in Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES):
        if count < AT_A_TIME and not _is_hashed(row.data):
            try:
                codes = row.wrap().get_unused_codes()
            except UnreadableSeed:
                continue
            salt = _SLOW.salt()  # of one person's, so that a try costs one hash
            hashes = [_SLOW.encode(_bare(code), salt) for code in codes]
            count += Authenticator.objects.filter(pk=row.pk, data=row.data).update(data={_HASHES: hashes})
    return count


def _bare(typed: str) -> str:
    return re.sub(r"[\s-]", "", typed).lower()


def _is_hashed(data: dict[str, Any]) -> bool:
    begins = (_QUICK, f"{_SLOW.algorithm}$")
    return "seed" not in data and all(each.startswith(begins) for each in data[_HASHES])


def _quick_hash(bare: str) -> str:
    return _QUICK + hashlib.sha256(bare.encode()).hexdigest()


class MakeRecoveryCodes(views.GenerateRecoveryCodesView):
    """The only page that ever shows them: the answer to the form."""

    def form_valid(self, form: Form) -> HttpResponse:
        codes = [get_random_string(_LENGTH, _LETTERS) for _ in range(COUNT)]
        with transaction.atomic():
            row = flows.generate_recovery_codes(self.request)
            row.data = {_HASHES: [_quick_hash(code) for code in codes]}
            row.save(update_fields=["data"])
        shown = ["-".join(re.findall(".{6}", code)) for code in codes]
        context = self.get_context_data(form=form, codes=shown, then=first_things_first.then(self.request))
        answer: HttpResponse = self.render_to_response(context)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Codes that cannot be read do not work either, so none of them stops working."""
        shown: dict[str, Any]
        try:
            shown = super().get_context_data(**kwargs)
        except UnreadableSeed:
            shown = {**FormView.get_context_data(self, **kwargs), "unused_code_count": 0}
        return shown


class _ThenCodes:
    """After the first second factor come the codes for the day on which it is lost. Whoever has them already, since
    their factor was taken away for them, goes on to where they were going."""

    request: Any

    def get_success_url(self) -> str:
        theirs = Authenticator.objects.filter(user=self.request.user, type=Authenticator.Type.RECOVERY_CODES)
        if not theirs.exists():
            return reverse("mfa_generate_recovery_codes")
        return first_things_first.then(self.request) or reverse("mfa_index")


class ActivateApp(_ThenCodes, ActivateTOTPView):
    """A form that is sent twice leads on twice, and not the second time to the page that stops using the app."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        theirs = Authenticator.objects.filter(user_id=request.user.pk, type=Authenticator.Type.TOTP)
        if request.method == "POST" and theirs.exists():
            return redirect(self.get_success_url())
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            answer: HttpResponse = super().form_valid(form)
        except IntegrityError:  # the other one was quicker
            return redirect(self.get_success_url())
        return answer


class AddKey(_ThenCodes, AddWebAuthnView):
    """A form that is sent several times at once adds the key once: each of them finds the challenge in its session."""

    def form_valid(self, form: Form) -> HttpResponse:
        sent = auth.parse_registration_response(form.cleaned_data["credential"]).response.attestation_object.auth_data
        with transaction.atomic():
            person = User.objects.select_for_update(no_key=True).get(pk=self.request.user.pk)
            if auth.get_authenticator_by_credential_id(person, sent.credential_data.credential_id):
                return redirect(self.get_success_url())
            answer: HttpResponse = super().form_valid(form)
        return answer


urlpatterns = [  # under the names that allauth's pages use
    path("recovery-codes/generate/", MakeRecoveryCodes.as_view(), name="mfa_generate_recovery_codes"),
    path("totp/activate/", ActivateApp.as_view(), name="mfa_activate_totp"),
    path("webauthn/add/", AddKey.as_view(), name="mfa_add_webauthn"),
]
