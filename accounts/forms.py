from typing import Any
from zoneinfo import available_timezones

from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.http import HttpRequest

from accounts.middleware import ZONE_COOKIE
from accounts.models import ApiToken, User
from accounts.validators import is_time_zone

MOST_LIVING_TOKENS = 20


def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The zones people live in, by continent. Old aliases stay valid, but are not offered."""
    continents: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(available_timezones()):
        continent, _, city = name.partition("/")
        if city and continent not in {"Etc", "SystemV", "posix", "right", "US"}:
            continents.setdefault(continent, []).append((name, city.replace("_", " ").replace("/", ", ")))
    return [("Everywhere", [("UTC", "UTC")]), *continents.items()]


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["display_name", "time_zone", "theme"]
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

    def clean_display_name(self) -> str:
        # Names stand in one line beside other names: control and direction characters could
        # make one look like another.
        name: str = self.cleaned_data["display_name"]
        if not name.isprintable():
            raise forms.ValidationError("Please use visible characters only: letters, digits, signs, spaces.")
        return " ".join(name.split())


class ApiTokenForm(forms.ModelForm):
    class Meta:
        model = ApiToken
        fields = ["name"]

    def clean(self) -> dict[str, Any]:
        if self.instance.user.api_tokens.filter(revoked_at=None).count() >= MOST_LIVING_TOKENS:
            raise forms.ValidationError(
                f"You have {MOST_LIVING_TOKENS} tokens in use, and that is the most. "
                "Revoke one you no longer need; then you can make another."
            )
        return super().clean() or {}


def drop_placeholders(form: forms.BaseForm) -> None:
    """allauth repeats each label inside its field, where it looks like something already typed."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class LoginForm(AllauthLoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_placeholders(self)
        self.fields["login"].label = "Username or e-mail"
        if "remember" in self.fields:
            self.fields["remember"].label = "Keep me signed in here"


class SignupForm(AllauthSignupForm):
    """allauth's form, with one courtesy: new people start in the zone their browser told us."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_placeholders(self)
        self.fields["username"].help_text = User._meta.get_field("username").help_text

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        zone = request.COOKIES.get(ZONE_COOKIE, "")
        if is_time_zone(zone):
            user.time_zone = zone
            user.save(update_fields=["time_zone"])
