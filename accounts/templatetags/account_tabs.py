"""Template tag for the tabs above the account pages, including those of other apps; and filters for browser names and
for allauth's forms."""

from collections.abc import Iterator
from typing import Any

from django import template
from django.forms import BaseForm, BoundField
from django.template import Context
from django.urls import reverse

from accounts.cookies import browser_name
from accounts.extensions import Tab, tabs_for

register = template.Library()
register.filter(browser_name)

PROFILE, SIGN_IN, NOTICES, PROGRAMS, DATA = "Profile", "Sign-in", "Notices", "Programs", "Your data"
GROUPS = (PROFILE, SIGN_IN, NOTICES, PROGRAMS, DATA)
OWN = (
    Tab("accounts:profile", "Profile", PROFILE),
    Tab("accounts:picture", "Picture", PROFILE),
    Tab("account_email", "Email", SIGN_IN),
    Tab("account_change_password", "Password", SIGN_IN),
    Tab("mfa_index", "Two-factor", SIGN_IN),
    Tab("usersessions_list", "Sessions", SIGN_IN),
    Tab("accounts:tokens", "API tokens", PROGRAMS),
    Tab("accounts:leave", "Your data", DATA),
)


@register.filter
def plain(form: BaseForm) -> Iterator[BoundField]:
    """`{{ form|plain }}`: its fields without placeholders that repeat the label, and without capitals within labels."""
    for field in form:
        field.field.widget.attrs.pop("placeholder", None)
        field.label = str(field.label).capitalize()
        yield field


@register.inclusion_tag("components/account_tabs.html", takes_context=True)
def account_tabs(context: Context) -> dict[str, Any]:
    """Build two rows of tabs: the groups of pages, and the pages of the open group."""
    request = context["request"]
    pages = [(reverse(tab.address), tab) for tab in (*OWN, *tabs_for(request.user))]
    # The longest match: /profile/tokens/ begins with /profile/ too.
    current = max((href for href, _ in pages if request.path.startswith(href)), key=len, default="")
    groups, beside = [], []
    for group in GROUPS:
        of_group = [(href, tab.text) for href, tab in pages if tab.group == group]
        is_open = any(href == current for href, _ in of_group)
        if of_group:
            groups.append({"href": of_group[0][0], "text": group, "current": is_open})
        if is_open and len(of_group) > 1:
            beside = [{"href": href, "text": text, "current": href == current} for href, text in of_group]
    return {"groups": groups, "beside": beside}
