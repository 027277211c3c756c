"""What other apps add to the account pages, which do not know those apps.

An app adds its tabs in `AppConfig.ready`; its own pages extend `profile/base.html`, which shows all tabs:

    add_tab("feeds:addresses", "Calendar")
    add_tab("stable:horses", "Horses", shown_to=owns_horses)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from accounts.models import User


def _everybody(user: User) -> bool:
    return True


class Tab(NamedTuple):
    """A tab of the account pages: the name of its address (without arguments), its text, and who gets to see it."""

    address: str
    text: str
    shown_to: Callable[[User], bool] = _everybody


_tabs: list[Tab] = []


def add_tab(address: str, text: str, *, shown_to: Callable[[User], bool] = _everybody) -> None:
    """Put a tab behind the accounts' own, in the order in which apps add theirs. `shown_to` is asked for each page that
    shows tabs, so it should not query the database. Raises `ValueError` if the address has a tab already."""
    if any(tab.address == address for tab in _tabs):
        raise ValueError(f"{address} has a tab already")
    _tabs.append(Tab(address, text, shown_to))


def tabs_for(user: User) -> list[Tab]:
    """The tabs that this person gets to see."""
    return [tab for tab in _tabs if tab.shown_to(user)]
