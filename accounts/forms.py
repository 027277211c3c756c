"""Forms of accounts: profile, tokens, and allauth's own with labels and errors in the site's words."""

import secrets
from typing import Any
from zoneinfo import available_timezones

from allauth.account import forms as allauth
from allauth.socialaccount import forms as allauth_social
from django import forms
from django.core import validators
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts import mail_queue
from accounts.adapter import JustTaken
from accounts.extensions import token_limits
from accounts.marks import colour_of, mark_with, own_mark, shape_of
from accounts.middleware import browser_zone
from accounts.models import ApiToken, User
from accounts.models.user import TAKEN
from accounts.validators import is_time_zone, validate_not_reserved, validate_visible

MOST_LIVING_TOKENS = 20
_LONGEST_NAME = 320  # an email address
_LONGEST_ADDRESS = 254  # that the database takes and mail can be sent to; Django's field takes longer ones


def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The zones people live in, by continent. Old aliases stay valid, but are not offered."""
    continents: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_timezones()):
        continent, _, city = name.partition("/")
        if city and continent not in {"Etc", "SystemV", "posix", "right", "US"}:
            continents.setdefault(continent, []).append((name, city.replace("_", " ").replace("/", ", ")))
    return [("Everywhere", [("UTC", "UTC")]), *continents.items()]


SHAPES = (
    *("Disc", "Tile", "Rhombus", "Hexagon", "Pentagon", "Octagon"),
    *("Flower", "Arch", "Leaf", "Ticket", "Burst", "Cross"),
)
COLOURS = ("Amber", "Blue", "Rose", "Green", "Violet", "Yellow", "Teal", "Coral", "Grey", "Pink", "Lime", "Sand")


class ProfileForm(forms.ModelForm):
    shape = forms.TypedChoiceField(label="Shape of your mark", choices=list(enumerate(SHAPES)), coerce=int)
    colour = forms.TypedChoiceField(
        label="Colour of your mark",
        choices=list(enumerate(COLOURS)),
        coerce=int,
        help_text=(
            "Your mark in all matches. If somebody in a match has its shape or colour, you get a similar one there."
        ),
    )

    class Meta:
        model = User
        fields = ["display_name", "time_zone", "theme", "hides_results", "keeps_private", "is_bot"]
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname"}),
            "theme": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = zone_choices()
        offered = {name for _, zones in choices for name, _ in zones}
        current = self.instance.time_zone
        if current not in offered:
            choices.insert(0, ("Now", [(current, current)]))
        self.fields["time_zone"].widget = forms.Select(choices=choices, attrs={"data-zone": True})

        mark = own_mark(self.instance.username, self.instance.mark)
        self.initial.update(shape=shape_of(mark), colour=colour_of(mark))
        self.order_fields(["display_name", "shape", "colour"])

    def save(self, commit: bool = True) -> User:
        """Store only what the form asks for, and only if nobody has closed the account meanwhile."""
        user: User = self.instance
        if {"shape", "colour"} & set(self.changed_data):
            user.mark = mark_with(self.cleaned_data["shape"], self.cleaned_data["colour"])
        chosen = {name: getattr(user, name) for name in (*self.Meta.fields, "mark")}
        User.objects.filter(pk=user.pk, is_active=True).update(**chosen)
        return user

    def clean_display_name(self) -> str:
        name = " ".join(self.cleaned_data["display_name"].split())
        if "display_name" in self.changed_data:
            validate_not_reserved(name)
        return name


class ApiTokenForm(forms.ModelForm):
    scope = forms.ChoiceField(
        label="What it may do",
        choices=[
            (ApiToken.Scope.READ, "Read: see what you see, and try bids without placing them"),
            (ApiToken.Scope.ACT, "Read and act: also bid, vote and decide for you"),
        ],
        widget=forms.RadioSelect,
    )
    limited_to = forms.ChoiceField(
        label="Where it works",
        required=False,
        help_text="A token for one match does not work in other matches, in seasons, or for your notices.",
    )
    days = forms.TypedChoiceField(
        label="How long it lasts",
        choices=[(30, "30 days"), (ApiToken.USUAL_DAYS, "90 days"), (365, "a year")],
        coerce=int,
        initial=ApiToken.USUAL_DAYS,
    )

    class Meta:
        model = ApiToken
        fields = ["name", "scope"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["scope"] = ApiToken.Scope.READ  # an unsaved token has no scope yet
        offered = token_limits().offered(self.instance.user)
        self.fields["limited_to"].choices = [  # type: ignore[attr-defined]
            ("", "In all your matches, now and later"),
            *((key, f"Only in “{title}”") for key, title in offered),
        ]

    def page_key(self) -> str:
        """Return a key for one display of the form. Sent twice with it, the form makes only one token."""
        return secrets.token_urlsafe(32)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        validate_visible(name)
        return name

    def clean(self) -> dict[str, Any]:
        self._key = str(self.data.get("key", ""))[:100]
        self._made, self._secret = ApiToken.of_key(self.instance.user, self._key) if self._key else (None, "")
        if self._made is not None and (self._made.revoked_at or self._made.is_expired):
            raise forms.ValidationError(
                "The token that you made with this form no longer works. Open the page again to make another."
            )
        if self._made is None and self.instance.user.api_tokens.living().count() >= MOST_LIVING_TOKENS:
            raise forms.ValidationError(
                f"You have {MOST_LIVING_TOKENS} tokens in use, the most you can have. "
                "Revoke one that you no longer need before you make another."
            )
        return super().clean() or {}

    def issue(self) -> tuple[ApiToken, str]:
        """Return the token and its secret: a new one, or the one that this form has made before."""
        if self._made is not None:
            return self._made, self._secret
        said = self.cleaned_data
        return ApiToken.issue(
            self.instance.user, said["name"], said["scope"], said["days"], said["limited_to"], self._key
        )


class ShortAddress:
    """Mixin for allauth's forms: limits addresses to what can be stored."""

    fields: dict[str, forms.Field]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "email" in self.fields:
            self.fields["email"].validators.append(MaxLengthValidator(_LONGEST_ADDRESS))


class LoginForm(allauth.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or email"
        self.fields["login"].validators.append(MaxLengthValidator(_LONGEST_NAME))
        if "remember" in self.fields:
            self.fields["remember"].label = "Keep me signed in here"

    def user_credentials(self) -> dict[str, Any]:
        """Look for an email address among addresses only. allauth would also try it as a username and so check a
        password twice, or once for an unknown address; the time that takes would tell which addresses have accounts."""
        found: dict[str, Any] = super().user_credentials()
        return {name: each for name, each in found.items() if name != "username" or "email" not in found}


class AddEmailForm(ShortAddress, allauth.AddEmailForm):
    pass


class ResetPasswordForm(ShortAddress, allauth.ResetPasswordForm):
    """Queues the request without looking for an account, so that the answer cannot reveal one (see `mail_queue`)."""

    def clean_email(self) -> str:
        address: str = self.cleaned_data["email"].lower()
        return address

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address: str = self.cleaned_data["email"]
        mail_queue.ask_for_new_password(address)
        return address


class NewPersonForm(ShortAddress):
    """What both sign-up forms share: at most three fields. The time zone is the browser's until the person chooses one,
    and the rules for passwords appear only when one is refused."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = User._meta.get_field("username").help_text
        if "password1" in self.fields:
            self.fields["password1"].help_text = ""

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        zone = browser_zone(request)
        if is_time_zone(zone):
            user.time_zone = zone
            user.save(update_fields=["time_zone"])


class SocialSignupForm(NewPersonForm, allauth_social.SignupForm):
    """Sign-up for those who come from another site that gave no name which they can have here."""


class SignupForm(NewPersonForm, allauth.SignupForm):
    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        try:
            saved: tuple[Any, HttpResponse | None] = super().try_save(request)
        except JustTaken:
            self.add_error("username", TAKEN)
            context = {"form": self, "login_url": reverse("account_login")}
            return None, render(request, "account/signup.html", context)
        return saved


# -- error messages of forms -----------------------------------------------------------------------------
# What all forms say about a bad value, whichever library made them: one sentence that says what would be accepted.
# These become defaults of Django's classes; a form can still set its own message for a field.

MISSING = "Please fill this in."
NOT_CHOSEN = "Please choose one."
NOT_THERE = "Please choose one of those shown."
NO_MOMENT = "Enter a day and a time, such as 2030-05-17 14:00."
NO_ADDRESS = "Enter an email address, such as ann@example.org."
TOO_LONG = "That is %(show_value)d characters long. Please shorten it to %(limit_value)d at most."
TOO_SHORT = "That is %(show_value)d characters long. Please enter at least %(limit_value)d."
INVISIBLE = "That contains an invisible character. Please type it again."


def speak_plainly() -> None:
    """Make these the default error messages of every form."""
    for field, texts in (
        (forms.Field, {"required": MISSING}),
        (forms.ChoiceField, {"required": NOT_CHOSEN, "invalid_choice": NOT_THERE}),
        (forms.ModelChoiceField, {"required": NOT_CHOSEN, "invalid_choice": NOT_THERE}),
        (forms.BooleanField, {"required": "Please tick this."}),
        (forms.DateTimeField, {"invalid": NO_MOMENT}),
    ):
        field.default_error_messages = {**field.__dict__.get("default_error_messages", {}), **texts}
    for validator, text in (
        (validators.MaxLengthValidator, TOO_LONG),
        (validators.MinLengthValidator, TOO_SHORT),
        (validators.EmailValidator, NO_ADDRESS),
        (validators.ProhibitNullCharactersValidator, INVISIBLE),
    ):
        validator.message = text
