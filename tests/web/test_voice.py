"""What hosts say on the match's pages, and a player's private questions."""

from __future__ import annotations

import re
from html import unescape

import pytest

from accounts.models import User
from matches.models import HostNote, Match, NotesRead, Question
from matches.pages import rendering
from matches.pages.rendering import position_of
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


def test_everybody_sees_who_hosts(table: Table) -> None:
    for name in (None, "ann", "eve"):
        assert "Hosted by dora" in words(browser(table.users.get(name)).look(table.url))
    for url in ("/", "/matches/", f"/games/{table.match.game}/"):
        if table.match.title in (page := browser().look(url)):
            assert "hosted by dora" in words(page)


def words(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", "", page).split())


def test_a_line_is_there_before_anything_is_said_so_that_news_move_nothing(table: Table) -> None:
    assert 'class="notes__line' in part(browser().look(table.url), "notes")


def test_notes_are_above_the_board_with_date_zone_and_links(table: Table) -> None:
    say(table, "Look at https://example.org/pictures, all.\nGood luck.")
    page = browser().look(table.url)
    notes = part(page, "notes")
    assert page.index('id="part-notes"') < page.index('id="part-board"')
    assert '<a href="https://example.org/pictures" rel="nofollow ugc noopener noreferrer" dir="ltr">' in notes
    assert f'datetime="{START.isoformat()}" data-moment="dated">Sun 1 Mar, 14:00 UTC</time>' in notes
    assert notes.count("<details") == 1


def test_the_newest_stands_above_the_board_with_its_words(table: Table) -> None:
    assert 'class="said"' not in browser().look(table.url)
    say(table, "It closes at noon.")
    say(table, "Look at https://example.org/pictures, all.")
    for name in (None, "ann"):
        page = browser(table.users.get(name)).look(table.url)
        said = page[page.index('class="said"') : page.index('id="part-board"')]
        assert "Look at <a href" in said
        assert "It closes at noon." not in said


def test_a_correction_shows_the_present_words_first_and_the_others_struck(table: Table) -> None:
    first = say(table, "It closes at noon.")
    second = say(table, "It closes at one.", corrects=first.token)
    say(table, "It closes at two.", corrects=second.token)
    for page in (part(browser().look(table.url), "notes"), browser().look(f"{table.url}hosts/")):
        words = re.findall(r'<p class="note__words">\s*(<del>)?(It closes at \w+\.)', page)
        assert words == [("", "It closes at two."), ("<del>", "It closes at one."), ("<del>", "It closes at noon.")]


def test_what_is_withdrawn_is_struck_with_the_reason(table: Table) -> None:
    note = say(table, "There will be cake.")
    hosting.withdraw(table.match, table.users["dora"], note.token, "the cake is a lie")
    notes = part(browser().look(table.url), "notes")
    assert "<del>There will be cake.</del>" in notes
    assert "“the cake is a lie”" in notes
    assert "Withdrawn: There will be cake." in notes


def test_a_screen_reader_hears_a_new_note_by_the_line_that_shows_it(table: Table) -> None:
    say(table, "One.")
    position = position_of(table.match)
    before = rendering.public_parts(position, START)
    assert before["notes"].count("data-announce") == 1
    assert "data-new-note hidden" in " ".join(before["notes"].split()), "who has read what is not everybody's"
    assert 'data-announce="Announcement: One."' in before["notes"]
    table.bid("ann", "Y", 3)
    after = rendering.public_parts(position_of(table.match), START)
    assert after["notes"] == before["notes"], "a bid says nothing again"
    say(table, "Two.")
    assert 'data-announce="Announcement: Two."' in rendering.public_parts(position_of(table.match), START)["notes"]


def test_players_hear_it_by_their_notice_and_others_by_the_line(table: Table) -> None:
    """Nobody hears it twice: a notice of the same is announced to players, wherever they are on the site."""
    say(table, "One.")
    quiet = {
        name: "data-said-elsewhere" in browser(table.users.get(name)).look(table.url) for name in ("ann", "eve", "")
    }
    assert quiet == {"ann": True, "eve": False, "": False}


def test_a_bid_reads_neither_notes_nor_questions(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    say(table, "One.")
    ann = browser(table.users["ann"])
    ann.look(table.url)
    monkeypatch.setattr(rendering.voice, "notes_of", lambda match: pytest.fail("notes were read"))
    monkeypatch.setattr(rendering.voice, "own_questions", lambda match, player: pytest.fail("questions were read"))
    assert ann.press(table.url, "bid", htmx=True, seat="Y", amount=3).status_code == 200


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


def test_a_description_has_links(table: Table) -> None:
    Match.objects.filter(pk=table.match_id).update(description="Rules: https://example.org/r <b>")
    page = browser().look(table.url)
    link = '<a href="https://example.org/r" rel="nofollow ugc noopener noreferrer" dir="ltr">https://example.org/r</a>'
    assert f"{link} &lt;b&gt;" in page


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
    assert "Your question is sent." in page
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


@pytest.mark.parametrize("text", ["", "x" * 1001, "\u202etxet", "a\0b"])
def test_what_is_refused_comes_back_with_a_sentence_at_the_field(table: Table, text: str) -> None:
    ann = browser(table.users["ann"])
    answer = ask(ann, table.url, text)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="question-error" role="alert"' in page
    assert 'aria-describedby="question-help question-error"' in page
    assert Question.objects.count() == 0
    if len(text) > 1000:
        assert text in page


def test_half_of_a_surrogate_pair_is_refused_too(table: Table) -> None:
    ann = browser(table.users["ann"])
    answer = ann.post(f"{table.url}hosts/ask/", b"text=%ED%A0%BD", content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (302, 422)
    assert not any("\ud83d" in question.text for question in Question.objects.all())


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


def test_hosts_see_how_many_questions_wait(table: Table) -> None:
    dora = table.users["dora"]
    User.objects.filter(pk=dora.pk).update(is_staff=True)
    hosting.pause(table.match, dora)
    hosting.resume(table.match, dora)
    client = browser(User.objects.get(pk=dora.pk))
    assert "for an answer" not in client.look(table.url)
    for name in ("ann", "bob"):
        ask_hosts(table.match_id, table.users[name].pk, "May I?")
    assert "2 questions of players wait for an answer" in " ".join(client.look(table.url).split())
    assert "2 questions" in " ".join(client.look("/me/").split())
    assert "2 questions" in " ".join(client.look("/me/hosted/").split())
    assert "for an answer" not in browser(table.users["ann"]).look(table.url)
