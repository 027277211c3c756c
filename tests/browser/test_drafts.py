"""A new match and a repeated one, by hand: how many clicks and typed fields they take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.chromium import PHONE, Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Dialog, Locator, Page

pytestmark = pytest.mark.browser

NEW, REPEATED = (8, 2), (5, 0)


class Counted:
    """A page on which every click and every typed field is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.fields = 0

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()

    def button(self, name: str | re.Pattern[str]) -> None:
        self.click(self.page.get_by_role("button", name=name))

    def fill(self, label: str, text: str) -> None:
        self.fields += 1
        self.page.get_by_label(label, exact=True).fill(text)

    def publish(self) -> None:
        self.button("Publish…")
        self.button("Go on")
        expect(self.page.get_by_role("heading", name="The first deadlines")).to_be_visible()
        self.button(re.compile("^Yes"))
        expect(self.page.get_by_text("Published. It begins")).to_be_visible()


def test_a_match_is_made_and_repeated_with_few_clicks(visit: Visitors, host: Any, person: Callable[..., Any]) -> None:
    people = [person(name) for name in ("ann", "bob", "cat")]
    title = f"Table of {host['name']}"
    page = visit(host, viewport=PHONE)
    page.goto("/admin/matches/match/")
    new = Counted(page)
    new.click(page.get_by_role("link", name="Add match"))
    new.click(page.get_by_role("link", name="F8, nine seats"))
    new.fill("Title", title)
    new.button("Create the draft")
    new.button("Paste names…")
    new.fill("Names", ", ".join(each["name"] for each in people) + "\n@nobody")
    expect(page.get_by_text("1 of 4 cannot be used as written.")).to_be_visible()  # nothing was pressed
    page.get_by_label("Names", exact=True).fill("\n".join([*(each["name"] for each in people), "Zoë"]))
    expect(page.get_by_text("4 names, and all of them can be used.")).to_be_visible()
    new.button("Add these names")
    new.publish()
    assert (new.clicks, new.fields) == NEW

    page.goto("/admin/matches/match/")
    again = Counted(page)
    again.click(page.get_by_role("link", name=f"Duplicate {title}"))
    again.button("Make the draft")
    expect(page.get_by_role("heading", name=f"{title} 2")).to_be_visible()
    again.publish()
    assert (again.clicks, again.fields) == REPEATED


def test_a_wrong_row_is_marked_while_it_is_typed_and_leaving_it_warns(
    visit: Visitors, host: Any, person: Callable[..., Any], table: Callable[..., Any]
) -> None:
    match = table("Typed", [person(name) for name in ("ann", "bob", "cat")])
    page = visit(host)
    address = f"/admin/matches/match/{match['pk']}/change/"
    page.goto(address)
    spare = page.get_by_label("Person (username)").nth(3)
    spare.press_sequentially("nobody-at-all")
    expect(page.get_by_text("There is nobody called nobody-at-all.")).to_be_visible()
    expect(spare).to_have_attribute("aria-invalid", "true")

    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.get_by_role("link", name="Matches", exact=True).click()
    expect(spare).to_have_value("nobody-at-all")
    assert asked == ["beforeunload"]
    spare.fill("")
    expect(page.get_by_text("There is nobody called")).to_have_count(0)
    page.get_by_role("button", name="Save the players").click()
    expect(page.get_by_text("The players are saved.")).to_be_visible()
