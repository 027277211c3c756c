"""What forms say about a bad value, on every page and whichever library made the form: what would be accepted, in one
and the same sentence.

Django keeps these texts on its classes, and a form that says more about a field of its own still does.
"""

from __future__ import annotations

from django import forms
from django.core import validators

MISSING = "Please fill this in."
NOT_CHOSEN = "Please choose one."
NOT_THERE = "That cannot be chosen here. Please choose one of those shown."
NO_MOMENT = "Enter a day and a time, such as 2030-05-17 14:00."
NO_ADDRESS = "Enter an email address, such as ann@example.org."
TOO_LONG = "That is %(show_value)d characters long, and at most %(limit_value)d are allowed. Please shorten it."
TOO_SHORT = "That is %(show_value)d characters long, and at least %(limit_value)d are needed."
INVISIBLE = "There is a character in it that nobody can see. Please type it again."


def speak_plainly() -> None:
    """Make every form use these words."""
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
