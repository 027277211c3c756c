"""What hosts say on the match's pages, and a player's private questions."""

from __future__ import annotations

import re
from html import unescape

from matches.models import HostNote, NotesRead, Question
from matches.services import hosting
from matches.services.questions import ask_hosts
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


def words(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", "", page).split())


def test_notes_are_above_the_board_with_date_zone_and_links(table: Table) -> None:
    say(table, "Look at https://example.org/pictures, all.\nGood luck.")
    page = browser().look(table.url)
    notes = part(page, "notes")
    assert page.index('id="part-notes"') < page.index('id="part-board"')
    assert '<a href="https://example.org/pictures" rel="nofollow ugc noopener noreferrer" dir="ltr">' in notes
    assert f'datetime="{START.isoformat()}" data-moment="dated">Sun 1 Mar, 14:00 UTC</time>' in notes
    assert notes.count("<details") == 1


def test_a_correction_shows_the_present_words_first_and_the_others_struck(table: Table) -> None:
    first = say(table, "It closes at noon.")
    second = say(table, "It closes at one.", corrects=first.token)
    say(table, "It closes at two.", corrects=second.token)
    for page in (part(browser().look(table.url), "notes"), browser().look(f"{table.url}hosts/")):
        words = re.findall(r'<div class="note__words prose">\s*(<del>)?<p>(It closes at \w+\.)', page)
        assert words == [("", "It closes at two."), ("<del>", "It closes at one."), ("<del>", "It closes at noon.")]


def test_marks_of_markdown_are_shown_nowhere(table: Table) -> None:
    say(table, "**Bob** may *not* bid:\n\n- [why](https://example.org/why)\n- <b>snake_case</b>")
    page = browser().look(table.url)
    notes = part(page, "notes")
    assert "<strong>Bob</strong> may <em>not</em> bid" in notes
    assert re.search(r"<li>(<p>)?<a href=\"https://example.org/why\"", notes)
    assert "<b>snake" not in page
    assert "by dora: Bob may not bid: - why (https://example.org/why)" in words(page)
    assert "**" not in page + browser().look(f"{table.url}hosts/")


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


def test_an_answer_to_everybody_is_linked_for_the_asker_and_names_nobody(table: Table) -> None:
    question = ask_hosts(table.match_id, table.users["ann"].pk, "I, ann, wonder: may I bid 0?").question
    hosting.answer_to_everybody(table.match, table.users["dora"], question.token, "No.", asked="Can one bid 0?")
    note = HostNote.objects.get()
    assert f"hosts/#note-{note.token}" in part(browser(table.users["ann"]).look(table.url), "questions")
    for name in ("bob", None):
        notes = part(browser(table.users.get(name)).look(table.url), "notes")
        assert "Can one bid 0?" in notes
        assert "ann" not in re.sub("Announcement|announc", "", notes).replace("data-ce", "")


def test_a_flood_is_refused_with_a_sentence_and_keeps_what_was_typed(table: Table) -> None:
    ann = browser(table.users["ann"])
    for number in range(5):
        assert ask(ann, table.url, f"Question {number}?").status_code == 302
    answer = ask(ann, table.url, "One more?")
    assert answer.status_code == 429
    assert "One more?" in answer.content.decode()
    assert Question.objects.count() == 5


def test_who_does_not_play_asks_nothing(table: Table) -> None:
    for name in ("eve", "dora"):
        answer = ask(browser(table.users[name]), table.url, "Who wins?")
        assert answer.status_code == 403
        assert "Only this match's players can ask its hosts." in unescape(answer.content.decode())
    assert ask(browser(), table.url, "Who wins?").status_code == 302
    assert Question.objects.count() == 0


def test_the_newest_stands_above_the_board_with_its_words(table: Table) -> None:
    assert 'class="said"' not in browser().look(table.url)
    say(table, "It closes at noon.")
    say(table, "Look at https://example.org/pictures, all.")
    for name in (None, "ann"):
        page = browser(table.users.get(name)).look(table.url)
        said = page[page.index('class="said"') : page.index('id="part-board"')]
        assert "Look at <a href" in said
        assert "It closes at noon." not in said
