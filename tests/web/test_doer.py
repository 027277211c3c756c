"""Who did what a line of news tells: a mark to see, and the name once for those who listen."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import Table, browser

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page_of", ["", "news/"])
def test_a_line_of_news_says_a_name_once(present, page_of: str) -> None:
    table = Table(present).open().at(24).bid("ann", "Y", 4)
    page = " ".join(browser().look(table.url + page_of).split())
    (line,) = re.findall(r'<span class="feed__text">((?:(?!feed__text).)*? bids 4 on Y.*?)</li>', page)
    heard = re.sub(r'<span aria-hidden="true">\s*<span class="mark.*?</svg>.*?</span>\s*</span>\s*</span>', "", line)
    assert heard != line
    assert len(re.findall(r"\bann\b", re.sub(r"<[^>]*>", "", heard))) == 1
