"""Names and titles that look like HTML are shown as they are written, on every page, with and without an account."""

import pytest

from accounts.models import User
from matches.models import Match, Player
from tests.secrecy.site import LISTS, PAGES
from tests.web.conftest import Table, browser

HOSTILE = "<b>mean</b>"
_NO_HTML = ("picture.png", "log.json")
SHOWN = "&lt;b&gt;mean&lt;/b&gt;"


@pytest.fixture
def mean(auction: Table) -> Table:
    """ann has such a name, cat's is that of an account which is gone, and the match's title and text are no better."""
    auction.bid("cat", "Y", 6)
    User.objects.filter(username="ann").update(display_name=HOSTILE)
    Player.objects.filter(match=auction.match_id, handle="ann").update(name=HOSTILE)
    Player.objects.filter(match=auction.match_id, handle="cat").update(name=HOSTILE, user=None)
    Match.objects.filter(pk=auction.match_id).update(
        title=HOSTILE, description=f"{HOSTILE} https://example.org/?{HOSTILE}"
    )
    return auction


@pytest.mark.parametrize("who", [None, "bob", "dora"])
def test_no_page_takes_them_for_html(mean: Table, who: str | None) -> None:
    client, shown = browser(mean.users[who] if who else None), 0
    for page in (*(f"{mean.url}{each}" for each in PAGES if each not in _NO_HTML), *LISTS, "/people/ann/"):
        text = client.get(page, follow=True).content.decode()
        assert HOSTILE not in text, page
        shown += SHOWN in text
    assert shown > 8, "or nothing was looked at"
