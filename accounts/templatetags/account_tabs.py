"""The tabs above the pages of one's account, with those that other apps add."""

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

from accounts.extensions import tabs_for

register = template.Library()

TABS = [
    ("accounts:profile", "Profile"),
    ("account_email", "Email"),
    ("account_change_password", "Password"),
    ("mfa_index", "Two-factor"),
    ("usersessions_list", "Sessions"),
    ("accounts:tokens", "API tokens"),
    ("accounts:leave", "Your data"),
]


@register.inclusion_tag("components/tabs.html", takes_context=True)
def account_tabs(context: Context) -> dict[str, Any]:
    """One row of tabs for all account pages: the site's own, allauth's, and those of other apps."""
    request = context["request"]
    path = request.path
    added = [(tab.address, tab.text) for tab in tabs_for(request.user)]
    addresses = [(reverse(name), text) for name, text in TABS + added]
    # The longest address that matches: /profile/tokens/ begins with /profile/ too.
    current = max((href for href, _ in addresses if path.startswith(href)), key=len, default="")
    return {
        "label": "Your account",
        "tabs": [{"href": href, "text": text, "current": href == current} for href, text in addresses],
    }
