"""The check of every page that finds words run together (`tests.browser.looks.joints`) finds them."""

from __future__ import annotations

import pytest

from tests.browser.looks import joints_in


@pytest.mark.parametrize(
    "html",
    ["in round 1.<b>once</b>", "<p>for 20.<span>A</span> seat</p>", "<p>It is over.<a>The result</a></p>", "20.After"],
)
def test_a_joint_is_found(html: str) -> None:
    assert joints_in(html)


@pytest.mark.parametrize(
    "html", ["in round 1. <b>once</b>", "<p>for 20.</p><p>A seat</p>", "1.5 of 2.10", "J. S. Bach"]
)
def test_words_that_stand_apart_are_none(html: str) -> None:
    assert joints_in(html) == []
