"""Private questions to the hosts, and their answers: to the asker alone, or to everybody without saying who asked."""

import json
from datetime import timedelta

import msgspec
import pytest

from matches.admin.commands.announcements import ANSWER
from matches.admin.commands.base import CommandRequest
from matches.models import Question, Submission, clock
from matches.queries.announcements import notes_of, own_questions, questions_for_hosts
from matches.queries.feed import feed
from matches.queries.log import is_private, open_rows
from matches.services import hosting, joining, refusal_quota, roster
from matches.services.questions import MOST_OPEN, TooManyQuestions, ask_hosts
from matches.services.replay import verify
from matches.services.storage import log
from tests.services.conftest import DAY, HOUR, Table, person, told_alone

pytestmark = [pytest.mark.django_db]


def ask(table, handle, text="May I bid 0?", key=""):
    return ask_hosts(table.match_id, table.users[handle].pk, text, key).question


def told(table, handle):
    return [line.kind for line in feed(table.match, table.player(handle))]


def test_only_the_asker_and_the_hosts_read_a_question(table):
    versions = {handle: table.player(handle).version for handle in ("ann", "bob")}
    before = table.match.public_version
    ask(table.at(HOUR), "ann", "May I bid 0?\r\n\r\n\r\nOr less?")
    (own,) = own_questions(table.match, table.player("ann"))
    assert (own.text, own.at, own.answered_at) == ("May I bid 0?\n\nOr less?", table.present.instant, None)
    assert own_questions(table.match, table.player("bob")) == []
    (shown,) = questions_for_hosts(table.match)
    assert (shown.handle, shown.text) == ("ann", own.text)
    assert table.match.public_version == before
    assert table.player("ann").version == versions["ann"] + 1
    assert table.player("bob").version == versions["bob"]
    assert list(table.match.announcements.filter(kind="question_asked").values_list("audience", flat=True)) == ["hosts"]
    assert "question_asked" not in told(table, "ann") + told(table, "bob")
    assert verify(table.match) == []


def test_an_answer_to_everybody_is_a_clarification_that_names_no_asker(table):
    question = ask(table, "ann", "May I, ann, bid 0?")
    hosting.answer_to_everybody(
        table.match, table.host, question.token, "No, 1 or more.", asked="What is the least bid?"
    )
    (note,) = notes_of(table.match)
    assert (note.now.kind, note.now.question, note.now.text) == (
        "clarification",
        "What is the least bid?",
        "No, 1 or more.",
    )
    (own,) = own_questions(table.match, table.player("ann"))
    assert (own.answer, own.note) == ("", note.now.token)
    assert told(table, "ann")[:2] == ["question_answered", "clarified"]
    assert told(table, "bob")[0] == "clarified"
    public = table.match.log.get(pk=table.match.notes.get().submission_id)
    assert question.token not in public.payload
    said = json.loads(public.payload)
    assert said == {
        "command": "announce",
        "kind": "clarification",
        "note": note.now.token,
        "question": "What is the least bid?",
        "text": "No, 1 or more.",
    }
    assert verify(table.match) == []


def test_a_flood_is_refused_and_what_was_asked_is_kept(table, monkeypatch):
    for number in range(MOST_OPEN):
        ask(table, "ann", f"Question {number}?")
    with pytest.raises(TooManyQuestions, match="are waiting for an answer") as refusal:
        ask(table, "ann", "One more?")
    assert (refusal.value.status, refusal.value.retry_after) == (429, 3600)
    for question in Question.objects.all():
        hosting.answer(table.match, table.host, question.token, "Yes.")
    with pytest.raises(TooManyQuestions, match="in 10 min") as refusal:
        ask(table, "ann", "One more?")
    assert refusal.value.retry_after == 600
    ask(table, "bob", "The others may ask?")
    table.at(timedelta(minutes=10))
    ask(table, "ann", "And now?")
    assert Question.objects.count() == MOST_OPEN + 2
    monkeypatch.setattr(refusal_quota, "OF_ROWS", ((MOST_OPEN, HOUR),))
    refusal_quota.refuse_beyond_rows(table.match, table.users["ann"].pk, clock.now())


def finish(table):
    table.act("ann", "bid", amount=1)
    table.at(9 * DAY).advance()
    assert table.match.status == "finished"


def test_after_the_match_the_log_keeps_questions_and_replies_private(table):
    question = ask(table, "ann", "A secret plan of mine: is it allowed?")
    hosting.answer(table.match, table.host, question.token, "It is, secretly.")
    finish(table)
    rows = {
        handle: [row.facts for row in open_rows(table.match, table.player(handle)).items] for handle in ("ann", "bob")
    }
    for handle, player in (("bob", table.player("bob")), ("host", None)):
        text = json.dumps(msgspec.to_builtins(open_rows(table.match, player).items))
        assert "secret" not in text, handle
        assert '"question"' not in text
    assert rows["bob"].count(None) == 2
    assert rows["ann"].count(None) == 1  # the reply; their own question they can check
    assert log.broken_at(table.match) is None


def test_whoever_takes_the_place_later_reads_nothing_of_it(present):
    table = Table(present, "ann bob cat")
    hosting.publish(table.match, table.host, present.instant + HOUR)
    question = ask(table, "ann", "Can I leave?")
    joining.leave(table.match, table.users["ann"])
    place = table.player("ann")
    newcomer = person("newcomer")
    roster.change_players(table.match, table.host, [roster.PlayerChange(place.pk, {"user": newcomer})])
    assert own_questions(table.match, table.player("ann")) == []
    said = {"question": question.token, "to": "asker", "text": "You can."}
    assert "has left" in ANSWER.consequence(CommandRequest(table.match, table.host, said))[1]
    hosting.answer(table.match, table.host, question.token, "You can.")
    assert [line.kind for line in told_alone(newcomer)] == ["added_to_match"]
    row = Submission.objects.get(pk=question.submission_id)
    assert is_private(table.match, row, table.player("ann"))
    assert verify(table.match) == []
