"""Other apps add tabs to the account pages, for those who may see them."""

import pytest
from django.test import Client

from accounts import additions
from accounts.models import User


@pytest.fixture(autouse=True)
def _no_other_tabs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additions, "_tabs", [])


def test_an_added_tab_comes_last_on_our_pages_and_on_allauth_s(ann_client: Client) -> None:
    additions.add_tab("matches:mine", "My own tab")
    for address in ("/profile/", "/accounts/email/"):
        tabs = ann_client.get(address).content.decode().partition('aria-label="Your account"')[2].partition("</nav>")[0]
        assert 'href="/me/">My own tab</a>' in tabs.rpartition("<a ")[2]


def test_a_tab_is_shown_only_to_those_whom_it_is_for(ann: User, bob: User) -> None:
    additions.add_tab("matches:mine", "For Ann", shown_to=lambda user: user == ann)
    assert [tab.text for tab in additions.tabs_for(ann)] == ["For Ann"]
    assert additions.tabs_for(bob) == []


def test_an_address_gets_one_tab() -> None:
    additions.add_tab("matches:mine", "My own tab")
    with pytest.raises(ValueError, match="matches:mine has a tab already"):
        additions.add_tab("matches:mine", "Again")
