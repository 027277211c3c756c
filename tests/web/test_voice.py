"""What hosts say on the match's pages, and a player's private questions."""

import re
from html import unescape

from matches.models import HostNote, NotesRead, Question
from matches.services import hosting
from tests.fixtures.present import START
from tests.web.conftest import Browser, Table, browser


def say(table: Table, text: str, **how: str) -> HostNote:
    return hosting.announce(table.match, table.users["dora"], "announcement", text, **how)


def ask(client: Browser, url: str, text: str, **more: str):
    return client.post(f"{url}hosts/ask/", {"text": text, **more})


def part(page: str, name: str) -> str:
    found = re.search(rf'id="part-{name}">(.*?)(?:</section>)', page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_a_person_has_read_them_on_every_device(table: Table) -> None:
    say(table, "One.")
    ann = browser(table.users["ann"])
    assert 'data-read=""' in ann.look(table.url)
    assert re.search(r"data-new-note\s*>", ann.look(f"{table.url}hosts/"))
    answer = ann.post(f"{table.url}hosts/read/", headers={"X-Requested-With": "fetch"})
    assert answer.status_code == 204
    assert f'data-read="{START.isoformat()}"' in browser(table.users["ann"]).look(table.url)
    assert not re.search(r"data-new-note\s*>", ann.look(f"{table.url}hosts/"))
    table.present.instant = START.replace(hour=13)
    ann.post(f"{table.url}hosts/read/")
    assert NotesRead.objects.get().until == START, "it never goes back"
    assert 'data-read=""' in browser(table.users["bob"]).look(table.url)


# -- questions -----------------------------------------------------------------------------------


def test_a_player_asks_and_reads_the_answer(table: Table) -> None:
    ann = browser(table.users["ann"])
    page = ann.look(table.url)
    key = re.search(r'id="key-question" value="([^"]+)"', page)
    assert key
    sent = ask(ann, table.url, "May I bid 0?", key=key[1])
    assert sent.status_code == 302
    ask(ann, table.url, "May I bid 0?", key=key[1])  # a double click
    question = Question.objects.get()
    page = ann.look(table.url)
    assert "Your question has been sent." in page
    assert "Not answered yet." in part(page, "questions")
    hosting.answer(table.match, table.users["dora"], question.token, "No. See https://example.org/r")
    assert 'href="https://example.org/r"' in part(ann.look(table.url), "questions")
    for name in ("bob", "eve", None, "dora"):
        page = browser(table.users.get(name)).look(table.url) + browser(table.users.get(name)).look(
            f"{table.url}hosts/"
        )
        assert "bid 0" not in page
        assert "example.org" not in page
