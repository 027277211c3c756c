"""The console's announcements, answers and reminders: form, consequence, execution, and a sentence in the log."""

from __future__ import annotations

import re
from typing import Any

import pytest

from matches.models import HostNote, Match, Question
from matches.queries.host_acts import host_act_rows, host_acts
from matches.services.questions import ask_hosts
from tests.admin.conftest import Console


@pytest.fixture
def asked(running: Match, players: list[Any]) -> Question:
    return ask_hosts(running.pk, players[0].pk, "May I, ann, bid 0?").question


def test_a_host_announces_corrects_and_withdraws(console: Console, running: Match) -> None:
    said = console.ask("announce", kind="announcement", text="We begin <late>.\r\nSorry.")
    assert "Everybody reads this announcement at once" in said
    assert "“We begin <late>.\nSorry.”" in said
    console.do("announce", kind="announcement", text="We begin late.")
    note = HostNote.objects.get()
    said = console.ask("announce", kind="clarification", text="We begin at noon.", corrects=note.token)
    assert "It replaces: Announcement of Sat 17 May, 13:00 UTC: We begin late." in said
    page = console.do("announce", kind="clarification", text="We begin at noon.", corrects=note.token)
    assert "Correction: “We begin at noon.”" in page
    correction = HostNote.objects.get(corrects=note)
    page = console.do("withdraw", note=correction.token, reason="it is open again")
    assert "Withdrew an announcement: it is open again" in page
    assert "Withdraw an announcement…" not in page, "there is nothing to withdraw any more"
    acts = [act.what for act in host_acts(running, list(host_act_rows(running)[:3]))]
    assert acts == [
        "withdrew an announcement or clarification",
        "corrected a clarification: “We begin at noon.”",
        "made an announcement: “We begin late.”",
    ]


def test_open_questions_are_counted_and_answered_in_private(console: Console, running: Match, asked: Question) -> None:
    page = console.page()
    assert "1 question from players waits for an answer" in " ".join(page.split())
    assert "Players' questions (1 open)" in page
    assert "May I, ann, bid 0?" in page
    said = console.ask("answer", question=asked.token, text="No.", to="asker", asked="")
    assert "Only ann and the hosts read your answer:" in said
    page = console.do("answer", question=asked.token, text="No.", to="asker", asked="")
    assert "Answered a question in private" in page
    assert "Players' questions (0 open)" in page
    assert "Answer a question…" not in page
    asked.refresh_from_db()
    assert (asked.answer, asked.answered_by) == ("No.", "hanna")
    assert not HostNote.objects.exists()


def test_one_button_answers_everybody_without_the_asker(console: Console, running: Match, asked: Question) -> None:
    link = f"{console.address}/do/answer/?question={asked.token}&to=everybody"
    assert link in console.page().replace("&amp;", "&")
    form = console.client.get(link).content.decode()
    assert re.search(r'value="everybody"[^>]* checked', form)
    assert f'<option value="{asked.token}" selected' in form
    said = console.ask("answer", question=asked.token, text="No.", to="everybody", asked="")
    assert "Nobody learns who asked, now or after the match." in said
    assert "Only the answer is shown, not the question." in said
    console.do("answer", question=asked.token, text="No.", to="everybody", asked="Can one bid 0?")
    note = HostNote.objects.get()
    assert (note.asked, note.text) == ("Can one bid 0?", "No.")
    public = running.log.get(pk=note.submission_id).payload
    assert "May I" not in public


def test_a_question_that_another_host_has_answered_is_refused_with_a_sentence(
    console: Console, running: Match, asked: Question
) -> None:
    Question.objects.update(answered_at=asked.at, answered_by="otto")
    page = console.ask("answer", question=asked.token, text="No.", to="asker", _confirm="1")
    assert "is not possible now" in page
