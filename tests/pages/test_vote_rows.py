"""Rows in which votes are given: what they say, and that nobody is shown a row that is another's."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template import Context, Template

from matches.pages.context import People, Person
from matches.pages.form_state import FormState

PEOPLE = People([Person("ann", "Ann <A>", 0, "", False, False), Person('b"c', "Bob", 1, "", False, False)])
USUAL: dict[str, Any] = {
    "handles": ("ann", 'b"c'),
    "most": 5,
    "votes": None,
    "last": {},
    "gave": {},
    "you": "cat",
    "chosen": "",
    "people": PEOPLE,
}
ROWS = '{% load vote_tags %}{% vote_rows "vote_a" "votes" handles most=most votes=votes last=last gave=gave you=you %}'


def rows(**changed: Any) -> list[str]:
    text = Template(ROWS).render(Context({**USUAL, **changed}))
    return re.findall(r"<label>.*?(?=<label>|$)", text)


def test_a_row_names_a_player_and_takes_a_number() -> None:
    ann, bob = rows(votes={"ann": 2}, last={"ann": 3, 'b"c': 0}, gave={"ann": 1})
    assert "<span>Ann &lt;A&gt;</span><small>3 last round, 1 yours</small>" in ann
    assert 'name="votes[ann]" form="act-vote_a" type="number" min="0" max="5"' in ann
    assert 'data-votes="ann" data-sealed="2" value="2"></label>' in ann
    assert "<span>Bob</span><small>0 last round</small>" in bob
    assert 'name="votes[b%22c]"' in bob
    assert 'data-votes="b&quot;c"></label>' in bob
    assert "<A>" not in ann


@pytest.mark.parametrize(
    "changed",
    [
        {"most": 6},
        {"votes": {"ann": 1}},
        {"votes": {"ann": 2}},
        {"last": {"ann": 0}},
        {"last": {"ann": 1}},
        {"last": {"ann": 1}, "gave": {"ann": 1}},
        {"you": "ann"},
        {"chosen": "ann"},
        {"people": People([Person("ann", "Anna", 0, "", False, False)])},
        {"people": People([])},
        {"form_state": FormState("vote_a", {"votes[ann]": ["7"]})},
        {"form_state": FormState("vote_a", {}, {"votes[ann]": "Too many."})},
    ],
    ids=", ".join,
)
def test_whatever_a_row_depends_on_changes_it(changed: dict[str, Any]) -> None:
    first = rows()[0]
    now = rows(**changed)[0]
    assert now != first
    assert rows()[0] == first
    assert rows(**changed)[0] == now


def test_a_form_that_came_back_shows_what_was_typed_and_why_not() -> None:
    typed, error = {"votes[ann]": ["<7>"]}, {"votes[ann]": "Too <many>."}
    (ann, _) = rows(votes={"ann": 2}, form_state=FormState("vote_a", typed, error))
    assert 'value="&lt;7&gt;"' in ann
    assert "Too &lt;many&gt;." in ann
    assert 'aria-invalid="true" aria-describedby="vote_a-votes_ann_-error"' in ann
    assert 'id="vote_a-votes_ann_-error"' in ann


def test_a_form_of_another_action_leaves_what_is_sealed() -> None:
    (ann, _) = rows(votes={"ann": 2}, form_state=FormState("vote_b", {"votes[ann]": ["7"]}))
    assert 'value="2"' in ann
