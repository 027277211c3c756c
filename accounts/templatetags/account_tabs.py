from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

register = template.Library()

TABS = [
    ("accounts:profile", "Profile"),
    ("account_email", "Email"),
    ("account_change_password", "Password"),
    ("mfa_index", "Two-factor"),
    ("usersessions_list", "Sessions"),
    ("accounts:tokens", "API tokens"),
]


@register.inclusion_tag("components/tabs.html", takes_context=True)
def account_tabs(context: Context) -> dict[str, Any]:
    """One row of tabs for all account pages, the site's own and allauth's."""
    path = context["request"].path
    addresses = [(reverse(name), text) for name, text in TABS]
    # The longest address that matches: /profile/tokens/ begins with /profile/ too.
    current = max((href for href, _ in addresses if path.startswith(href)), key=len, default="")
    return {
        "label": "Your account",
        "tabs": [{"href": href, "text": text, "current": href == current} for href, text in addresses],
    }
