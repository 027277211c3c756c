"""A player's word for chance: on the page, by programs, and in what the result page proves."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from matches.models import SealedWord
from matches.models.clock import FixedTime
from matches.services import hosting
from matches.services.replay import verify
from tests.fixtures.present import START
from tests.web.conftest import Table, browser


@pytest.fixture
def coming(db: None, present: FixedTime) -> Table:
    table = Table(present)
    hosting.publish(table.match, table.users["dora"], START + timedelta(hours=1))
    return table


def test_a_word_given_on_the_page_is_proven_on_the_result_page(
    coming: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, other = browser(coming.users["ann"]), browser(coming.users["bob"])
    assert coming.match.seed_hash in browser().look(coming.url)
    assert 'name="word"' not in browser().look(coming.url)
    word = "it's <b>\\ 🎲"
    assert ann.post(f"{coming.url}word/", {"word": word}).status_code == 302
    assert f'value="{word}"' in unescape(ann.look(coming.url))
    for page in (other.look(coming.url), browser(coming.users["dora"]).look(coming.url)):
        assert "🎲" not in page
    refused = ann.post(f"{coming.url}word/", {"word": "x" * 70})
    assert refused.status_code == 422
    assert 'aria-invalid="true"' in refused.content.decode()
    assert "x" * 70 in refused.content.decode()

    coming.present.instant = START + timedelta(days=30)
    page = ann.look(f"{coming.url}result/")
    assert 'id="word"' not in ann.look(coming.url)
    assert "from the words of ann" in re.sub("<[^>]+>", "", ann.look(f"{coming.url}news/"))
    found = re.search(r'<pre id="seed-check"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found
    code = unescape(found[1])
    exec(compile(code, "seed-check", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == "True\n" * (code.count("# True"))
    assert code.count("one_of(") > 1  # nobody bid, so chance has named the candidate
    assert f"ann:{word}" in unescape(page)
    assert verify(coming.match) == []
    assert ann.post(f"{coming.url}word/", {"word": "late"}).status_code == 302


def test_a_word_given_by_a_program_is_read_by_its_player_alone(coming: Table) -> None:
    ann, path = browser(coming.users["ann"]), f"/api/v1{coming.url}word/"
    given = ann.post(path, {"word": " tulip "}, content_type="application/json")
    assert (given.status_code, given.json()) == (200, {"accepted": True, "word": "tulip"})
    assert given["Cache-Control"] == "no-store, private"
    assert ann.get(path).json() == {"word": "tulip"}
    assert browser(coming.users["bob"]).get(path).json() == {"word": None}
    assert browser(coming.users["dora"]).get(path).json()["code"] == "not_a_player"
    for body, code in (({"word": 7}, "malformed"), ({"word": "a\u200bb"}, "text_not_visible")):
        assert ann.post(path, body, content_type="application/json").json()["code"] == code
    assert ann.post(path, {"word": ""}, content_type="application/json").json()["word"] is None
    assert not SealedWord.objects.exists()
    coming.present.instant = START + timedelta(hours=2)
    late = ann.post(path, {"word": "rose"}, content_type="application/json")
    assert (late.status_code, late.json()["code"]) == (409, "words_closed")
