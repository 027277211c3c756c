"""What people do at the table and at the hosts' desk, through the pages alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


# A push may bring the form, or another round's, only later.
_KEEP_LISTS_UNFOLDED = """() => {
    const folded = () => document.querySelectorAll("#act .list-form:not([open])");
    const unfold = () => folded().forEach((list) => (list.open = true));
    unfold();
    window.unfolding ??= new MutationObserver(unfold);
    const what = {subtree: true, childList: true, attributes: true, attributeFilter: ["open"]};
    window.unfolding.observe(document.body, what);
}"""


def lot(page: Page, name: str) -> Locator:
    """A seat on the board."""
    return page.locator(f'[data-board] [data-lot="{name}"]')


def what_i_can_do(page: Page) -> Locator:
    """The form's sheet, with its lists unfolded; on a phone it is opened by the button at the foot first."""
    opener = page.get_by_role("button", name=re.compile("^(Your move|Change)…$"))
    sheet = page.get_by_role("region", name="What you can do")
    if opener.is_visible() and not sheet.is_visible():
        # A page opened at #act shows the sheet by itself, perhaps just now, and the button would close it again; a
        # click beside the sheet just before may close it a moment later.
        page.wait_for_function(
            """() => {
                const sheet = document.getElementById("act");
                if (!sheet.matches(":popover-open")) document.querySelector(".move-bar > button").click();
                return sheet.matches(":popover-open") && sheet.checkVisibility();
            }"""
        )
        expect(sheet).to_be_visible()
    page.evaluate(_KEEP_LISTS_UNFOLDED)
    return sheet


def fill_bid(page: Page, seat: str, amount: int) -> Locator:
    """Types a bid; the sheet with the form comes back."""
    sheet = what_i_can_do(page)
    sheet.locator("[data-lot-field]").select_option(seat)
    sheet.get_by_role("spinbutton", name="Chips").fill(str(amount))
    return sheet


def bid(page: Page, seat: str, amount: int, verb: str = "Bid") -> None:
    """Bids by the form, and waits until the page says that it is done."""
    fill_bid(page, seat, amount).get_by_role("button", name=f"{verb} {amount} on {seat}").click()
    done = f"Sealed: {amount} on {seat}" if verb == "Seal" else f"Bid {amount} on {seat} placed"
    expect(page.locator("#answer")).to_contain_text(done)


def notice(page: Page, text: str) -> Locator:
    """The notice that counts most. At a match it is not shown: there the bell counts, and what is new is said."""
    return page.locator("#notices").get_by_text(text)


def sign_up(page: Page, name: str) -> None:
    """Makes an account by the form of the page that is open, and goes on to where that leads."""
    page.get_by_label("Username").fill(name)
    page.get_by_label("Email").fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill("candle-light-42")
    page.get_by_role("button", name="Sign up", exact=True).click()


class HostsDesk:
    """A match's page in the admin, and the commands there."""

    def __init__(self, page: Page, match: dict[str, Any]) -> None:
        self.page = page
        self._address = f"/admin/matches/match/{match['pk']}/change/"

    def do(self, *commands: str, **fields: str) -> None:
        """Gives a command, perhaps from the page of another: its form where it has one, then the consequences, then
        yes."""
        page = self.page
        page.goto(self._address)
        page.locator("details.console__more").evaluate_all("(all) => all.forEach((more) => (more.open = true))")
        for command in commands:
            page.get_by_role("link", name=command).or_(page.get_by_role("button", name=command)).click()
        go_on = page.get_by_role("button", name="See what will happen")
        if go_on.count():
            for label, text in fields.items():
                page.get_by_label(label).fill(text)
            go_on.click()
        expect(page.get_by_text("What will happen")).to_be_visible()
        page.locator("button[name=_confirm]").click()
        expect(page).to_have_url(re.compile(re.escape(self._address)))


def not_yet(page: Page, button: str) -> None:
    """Says no to what the page asks before a final choice, and is back at its button."""
    press = what_i_can_do(page).get_by_role("button", name=button, exact=True)
    press.click()
    page.locator("#answer").get_by_role("button", name="No, not yet").click()
    expect(page.get_by_role("button", name="Yes, I am sure")).to_have_count(0)
    expect(press).to_be_focused()


def decide(page: Page, choice: str, button: str) -> None:
    """Makes a final choice by the field and the button of these names, and says yes to what the page asks then.

    The button's verb is waited for: the form before may have had a field of the same name, on a page that is not told
    of the next form as soon as others are.
    """
    sheet = what_i_can_do(page)
    verb = re.compile(f"^{button.split()[0]}\\b")
    expect(sheet.get_by_role("button", name=verb).first).to_be_visible()
    sheet.get_by_label(choice).check()
    sheet.get_by_role("button", name=button).click()
    page.locator("#answer").get_by_role("button", name="Yes, I am sure").click()
