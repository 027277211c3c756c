"""What hosts say on the match's pages, and a player's private questions."""

import re

from matches.models import HostNote, NotesRead
from matches.services import hosting
from tests.fixtures.present import START
from tests.web.conftest import Table, browser


def say(table: Table, text: str, **how: str) -> HostNote:
    return hosting.announce(table.match, table.users["dora"], "announcement", text, **how)


def test_a_person_has_read_them_on_every_device_up_to_the_newest_that_the_page_showed(table: Table) -> None:
    def shown() -> list[str]:
        return re.findall(r'name="until" value="([^"]+)"', ann.look(f"{table.url}hosts/"))

    ann, last = browser(table.users["ann"]), START.replace(minute=5)
    say(table, "One.")
    (first,) = shown()
    table.present.instant = last
    say(table, "Two.")
    for until in (first, "soon"):
        ann.post(f"{table.url}hosts/read/", {"until": until})
        assert ann.look(f"{table.url}hosts/").count(">new<") == 1
    ann.post(f"{table.url}hosts/read/", {"until": shown()[0]})
    assert ">new<" not in browser(table.users["ann"]).look(f"{table.url}hosts/")
    ann.post(f"{table.url}hosts/read/", {"until": first})
    assert NotesRead.objects.get().until == last, "it never goes back"
    assert ">new<" in browser(table.users["bob"]).look(f"{table.url}hosts/")


def test_withdrawing_an_older_announcement_leaves_the_newest_above_the_board(table: Table) -> None:
    older, _ = say(table, "One."), say(table, "Two.")
    hosting.withdraw(table.match, table.users["dora"], older.token, "untrue")
    assert 'data-announce="Announcement: Two."' in browser(table.users["ann"]).look(table.url)
