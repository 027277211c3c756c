"""What other apps add to the account pages, which do not know those apps: tabs, and what a token can be limited to.

An app adds its tabs in `AppConfig.ready`, each to one of the groups of `account_tabs`; its own pages extend
`profile/base.html`, which shows them:

    add_tab("feeds:addresses", "Calendar", "Notices")
    add_tab("stable:horses", "Horses", "Profile", shown_to=owns_horses)
"""

from collections.abc import Callable, Collection
from typing import NamedTuple

from accounts.models import User


class Tab(NamedTuple):
    """A tab of the account pages: the name of its address (without arguments), its text, the group of pages that it
    belongs to, and who gets to see it."""

    address: str
    text: str
    group: str
    shown_to: Callable[[User], bool] = lambda user: True


class Limits(NamedTuple):
    """What a token can be limited to. `offered`: the id and title of each that this person can choose, at most a few
    dozen. `titles`: the titles, by id, of those that this person may see. Ids have at most 16 characters."""

    offered: Callable[[User], list[tuple[str, str]]]
    titles: Callable[[User, Collection[str]], dict[str, str]]


_tabs: list[Tab] = []
_limits = Limits(lambda user: [], lambda user, ids: {})


def add_tab(address: str, text: str, group: str, *, shown_to: Callable[[User], bool] = lambda user: True) -> None:
    """Put a tab after the accounts' own of its group, in the order in which apps add theirs. `shown_to` is asked for
    each page that shows tabs, so it should not query the database. Raises `ValueError` if the address has one."""
    if any(tab.address == address for tab in _tabs):
        raise ValueError(f"{address} has a tab already")
    _tabs.append(Tab(address, text, group, shown_to))


def tabs_for(user: User) -> list[Tab]:
    """The tabs that this person gets to see."""
    return [tab for tab in _tabs if tab.shown_to(user)]


def limit_tokens_by(limits: Limits) -> None:
    """Let people limit tokens to one of these. There is one kind of them."""
    global _limits
    _limits = limits


def token_limits() -> Limits:
    """What a token can be limited to."""
    return _limits
