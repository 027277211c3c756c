"""Forms of the page on which people choose their notices."""

from typing import Any

from django import forms

from notices import events
from notices.channels import webhook
from notices.models import Habits

_TIME = {"invalid": "Enter a time of day such as 22:30."}
_NO_CHOICE = {"invalid_choice": "This is not one of the choices. Please reload the page."}
FORMS = {webhook.JSON: "JSON, signed", webhook.DISCORD: "Discord", webhook.SLACK: "Slack"}


class GridForm(forms.Form):
    """Which events go to which channels: `on` has a value like “outbid.email” for each tick."""

    shown = forms.MultipleChoiceField(
        choices=[(key, key) for key in events.EVENTS], widget=forms.MultipleHiddenInput, error_messages=_NO_CHOICE
    )
    on = forms.MultipleChoiceField(
        choices=[(f"{key}.{channel}", "") for key in events.EVENTS for channel in events.CHANNELS],
        widget=forms.MultipleHiddenInput,
        required=False,
        error_messages=_NO_CHOICE,
    )

    def wanted(self) -> dict[tuple[str, str], bool]:
        """Whether (event, channel) is ticked, for all events that were shown."""
        said = self.cleaned_data
        return {(key, by): f"{key}.{by}" in said["on"] for key in said["shown"] for by in events.CHANNELS}


class HabitsForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Habits
        fields = ["quiet_from", "quiet_to", "urgent_at_night", "digest", "digest_at"]
        fields += ["also_when_here", "show_details", "sound"]
        labels = {
            "quiet_from": "Do not disturb me from",
            "quiet_to": "until",
            "urgent_at_night": "Urgent notices may come even then",
            "digest": "Combine routine mail into one message a day",
            "digest_at": "Send it at",
            "also_when_here": "Notify me elsewhere even while I am on the site",
            "show_details": "Show details in subject lines and on lock screens",
            "sound": "Play a short sound when a notice comes while a page is open",
        }
        help_texts = {
            "quiet_to": "Mail, push notifications and webhooks wait until then. If both are empty, nothing waits.",
            "urgent_at_night": "All events that are not marked “routine” above.",
            "digest_at": "Urgent notices never wait for it.",
            "also_when_here": "Otherwise we send nothing if you have used a page in the last minute.",
            "show_details": (
                "Otherwise they only say which match it is, and what kind of thing happened, since others may see them."
            ),
        }
        widgets = {
            name: forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
            for name in ("quiet_from", "quiet_to", "digest_at")
        }
        error_messages = dict.fromkeys(("quiet_from", "quiet_to", "digest_at"), _TIME)

    def clean(self) -> dict[str, Any]:
        """Require both ends of the quiet hours, or none."""
        said = super().clean() or {}
        start, end = said.get("quiet_from"), said.get("quiet_to")
        if "quiet_from" not in self.errors and "quiet_to" not in self.errors:
            if (start is None) != (end is None):
                self.add_error("quiet_from" if start is None else "quiet_to", "Enter both times, or leave both empty.")
            elif start is not None and start == end:
                self.add_error(
                    "quiet_to", "This is the same as the start. Enter another time, or leave both times empty."
                )
        return said


class WebhookForm(forms.Form):
    """A new webhook. `addresses.add_webhook` checks its URL."""

    url = forms.CharField(
        label="Address",
        max_length=1000,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    form = forms.ChoiceField(label="Format", choices=list(FORMS.items()), error_messages=_NO_CHOICE)
    label = forms.CharField(label="Name", max_length=80, required=False, help_text="A name that you will recognise.")
