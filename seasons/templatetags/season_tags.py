"""Template tags of the seasons' pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from matches.engine.sentences import joined

register = template.Library()


@register.filter
def without_zeros(amount: str) -> str:
    """`{{ account.blood_garnet|without_zeros }}`: 12.5 for 12.5000, 10 for 10.0000."""
    return amount.rstrip("0").rstrip(".") if "." in amount else amount


@register.filter
def all_shown_in(handles: Iterable[str], people: Mapping[str, Any]) -> str:
    """`{{ between|all_shown_in:people }}`: the names of these members, as a sentence lists them."""
    return joined(shown_in(handle, people) for handle in handles)


@register.filter
def shown_in(handle: str, people: Mapping[str, Any]) -> str:
    """`{{ handle|shown_in:people }}`: the name to show of a member."""
    member = people.get(handle)
    return str(member.name) if member else handle
