"""What hosts fill in for their commands. Every form is told its match and who hosts it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.utils import timezone

from matches.admin.texts import LineField
from matches.admin.words import asset_word
from matches.engine.ledger import BLOOD_GARNET
from matches.engine.match_time import parse_duration
from matches.models import Match, Player, clock
from matches.pages.durations import moment_in_words
from matches.services.blood import units_of
from matches.services.hosting import correctable_assets


class CommandForm(forms.Form):
    """Base of all: `match` and `host` are at hand; nothing is asked."""

    title = ""

    def __init__(self, match: Match, host: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"use_required_attribute": False, **kwargs})
        self.match = match
        self.host = host
        self.prepare()

    def prepare(self) -> None:
        """Fit the fields to the match."""


class NoForm(CommandForm):
    pass


REASON = forms.TextInput(attrs={"size": 50, "autocomplete": "off"})


class ReasonForm(CommandForm):
    reason = LineField(
        label="Reason",
        required=False,
        max_length=200,
        widget=REASON,
        help_text="Everybody reads it in the match's feed. May be left empty.",
    )


class CancelForm(CommandForm):
    """Why it ends without a result."""

    reason = LineField(
        label="Reason",
        max_length=200,
        widget=REASON,
        help_text="Everybody reads it in the match's feed.",
        error_messages={"required": "Say why the match is cancelled; everybody will read it."},
    )


class PublishForm(CommandForm):
    """The start, in UTC."""

    starts_at = forms.DateTimeField(
        label="Begins, in UTC",
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "data-utc": True}, format="%Y-%m-%dT%H:%M"),
        error_messages={
            "required": "Say when the match begins.",
            "invalid": "Enter a day and a time in UTC, such as 2030-05-17 14:00.",
        },
    )

    def prepare(self) -> None:
        now = clock.now()
        hour = (now + timedelta(days=1)).replace(minute=0, second=0, microsecond=0)
        self.fields["starts_at"].help_text = (
            f"It is {moment_in_words(now)} now, {timezone.localtime(now):%H:%M} in your zone. "
            "Daily deadlines will come at the time of day that you choose here."
        )
        # Typed and shown as UTC, whatever the host's zone is: naive here, made aware in `clean`.
        starts_at = self.match.starts_at or hour
        self.initial.setdefault("starts_at", starts_at.astimezone(UTC).replace(tzinfo=None))
        self.fields["starts_at"].to_python = self._in_utc  # type: ignore[method-assign]

    def _in_utc(self, value: Any) -> datetime | None:
        with timezone.override(UTC):
            return forms.DateTimeField.to_python(self.fields["starts_at"], value)  # type: ignore[arg-type]

    def clean_starts_at(self) -> datetime:
        starts_at: datetime = self.cleaned_data["starts_at"]
        now = clock.now()
        if starts_at <= now:
            raise forms.ValidationError(
                f"That lies in the past: it is {moment_in_words(now)}. Choose a later time, or start the match now."
            )
        if starts_at > now + timedelta(days=366):
            raise forms.ValidationError("That is more than a year ahead. Choose an earlier start.")
        return starts_at


class ExtendForm(ReasonForm):
    """By how long."""

    field_order = ("by", "reason")
    by = forms.CharField(
        label="Extend by",
        max_length=40,
        initial="2h",
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
        help_text="Such as 2h, 90m, 1d or 1d12h; at most 30 days.",
        error_messages={"required": "Say by how long, such as 2h."},
    )

    def clean_by(self) -> timedelta:
        try:
            by = parse_duration(self.cleaned_data["by"])
        except ValueError:
            raise forms.ValidationError("Enter a length of time such as 2h, 90m, 1d or 1d12h.") from None
        if not timedelta() < by <= timedelta(days=30):
            raise forms.ValidationError("Extend by more than nothing and at most 30 days.")
        return by


class PlayerField(forms.ModelChoiceField):
    def label_from_instance(self, player: Any) -> str:
        return player.handle if player.shown_name == player.handle else f"{player.handle} ({player.shown_name})"


class AboutPlayerForm(CommandForm):
    """Which of the match's players."""

    player = PlayerField(queryset=Player.objects.none(), label="Player", empty_label="choose")

    def prepare(self) -> None:
        self.fields["player"].queryset = self.match.players.all()  # type: ignore[attr-defined]


class CorrectForm(AboutPlayerForm):
    """A correction entry."""

    asset = forms.ChoiceField(label="Of what")
    amount = forms.DecimalField(
        label="Amount",
        max_digits=12,
        decimal_places=4,
        widget=forms.TextInput(attrs={"size": 8, "inputmode": "text", "autocomplete": "off"}),
        help_text="A whole number: 3 gives three, -3 takes three. Blood garnets may have up to 4 decimals.",
    )
    reason = LineField(
        label="Reason",
        max_length=200,
        widget=REASON,
        help_text="The player reads it.",
        error_messages={"required": "A correction needs a reason; the player reads it."},
    )

    def prepare(self) -> None:
        super().prepare()
        assets = correctable_assets(self.match)
        self.fields["asset"].choices = [(asset, asset_word(asset)) for asset in assets]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        amount, asset = cleaned.get("amount"), cleaned.get("asset")
        if amount is None or asset is None:
            return cleaned
        if not amount:
            self.add_error("amount", "Enter how much to give, or with a minus how much to take.")
        elif asset == BLOOD_GARNET:
            cleaned["units"] = units_of(amount)
        elif amount != amount.to_integral_value():
            self.add_error("amount", "This comes in whole numbers only.")
        else:
            cleaned["units"] = int(amount)
        return cleaned


class PeekForm(AboutPlayerForm):
    """Whose submission, and why."""

    reason = LineField(
        label="Why you need to look",
        max_length=200,
        widget=REASON,
        help_text="It stands in the log; the players can read it after the match.",
        error_messages={"required": "Say why you need to look; the players will read it afterwards."},
    )


class HostsForm(CommandForm):
    """Who hosts, by username."""

    hosts = forms.CharField(
        label="Hosts",
        max_length=1000,
        widget=forms.TextInput(attrs={"size": 50, "autocomplete": "off", "spellcheck": "false"}),
        help_text="Usernames with commas between. Hosts see this page; they cannot play in the match.",
        error_messages={"required": "A match needs at least one host."},
    )

    def prepare(self) -> None:
        names = self.match.hosts.order_by("username").values_list("username", flat=True)
        self.initial.setdefault("hosts", ", ".join(names))

    def clean_hosts(self) -> list[Any]:
        names = [name.strip() for name in self.cleaned_data["hosts"].split(",") if name.strip()]
        found = []
        for name in names[:20]:
            person = get_user_model().objects.filter(username__iexact=name, is_active=True).first()
            if person is None:
                raise forms.ValidationError(f"There is nobody called {name[:40]}.")
            if not person.is_staff:
                raise forms.ValidationError(
                    f"{person.username} may not sign in here yet: an administrator has to make them a host first."
                )
            found.append(person)
        if not found:
            raise forms.ValidationError("A match needs at least one host.")
        return found
