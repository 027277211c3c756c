"""What other apps add to the account pages: tabs, and the things that a token can be limited to.

An app adds its tabs in `AppConfig.ready`, each to one of the groups of `account_tabs`; its own pages extend
`profile/base.html`, which shows them:

    add_tab("feeds:addresses", "Calendar", "Notices")
    add_tab("stable:horses", "Horses", "Profile", shown_to=owns_horses)
"""

from collections.abc import Callable, Collection
from typing import NamedTuple

from accounts.models import User


class Tab(NamedTuple):
    """A tab of the account pages: the name of its URL (without arguments), its text, its group, and who sees it."""

    address: str
    text: str
    group: str
    shown_to: Callable[[User], bool] = lambda user: True


class Limits(NamedTuple):
    """What a token can be limited to. `offered`: id and title of each choice for this person, at most a few dozen.
    `titles`: the titles, by id, of those that this person may see. Ids have at most 16 characters."""

    offered: Callable[[User], list[tuple[str, str]]]
    titles: Callable[[User, Collection[str]], dict[str, str]]


_tabs: list[Tab] = []
_limits = Limits(lambda user: [], lambda user, ids: {})


def add_tab(address: str, text: str, group: str, *, shown_to: Callable[[User], bool] = lambda user: True) -> None:
    """Add a tab after the group's existing ones. `shown_to` runs for each page with tabs, so it should not query the
    database. Raises `ValueError` if the address has a tab already."""
    if any(tab.address == address for tab in _tabs):
        raise ValueError(f"{address} has a tab already")
    _tabs.append(Tab(address, text, group, shown_to))


def tabs_for(user: User) -> list[Tab]:
    """Return the tabs that this person sees."""
    return [tab for tab in _tabs if tab.shown_to(user)]


def limit_tokens_by(limits: Limits) -> None:
    """Set what tokens can be limited to. There is only one kind, so a second call replaces the first."""
    global _limits
    _limits = limits


def token_limits() -> Limits:
    """What a token can be limited to."""
    return _limits
