"""Logs name what happened and to whom, never the keys that people hold."""

import io
import json
import logging

import pytest
import structlog
from asgiref.sync import async_to_sync
from channels.testing import HttpCommunicator
from django.test import Client

from genius_site import logs
from genius_site.asgi import application


@pytest.fixture
def written():
    """Adds the JSON form beside the handlers that are there; a function gives the lines that were written."""
    before, output, root = structlog.get_config(), io.StringIO(), logging.getLogger()
    formatter = logs.configure("json", "INFO")["formatters"]["line"]
    handler = logging.StreamHandler(output)
    handler.setFormatter(formatter.pop("()")(**formatter))
    level = root.level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield lambda: [json.loads(line) for line in output.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(level)
    structlog.configure(**before)


@pytest.mark.django_db
def test_a_path_that_is_a_key_is_masked(written, client: Client) -> None:
    client.get("/nowhere/dQw4w9WgXcQdQw4w9WgXcQdQw4w9WgXcQ/?token=s3cret", headers={"Authorization": "Bearer s3cret"})
    text = json.dumps(written())
    assert "/nowhere/" in text
    assert "dQw4w9" not in text
    assert "s3cret" not in text


@pytest.mark.django_db
def test_it_is_masked_too_where_the_form_was_not_ours(written) -> None:
    """Django's loggers for single suspicions are children of the one for all, and take no filter from it."""
    Client(enforce_csrf_checks=True).post("/join/dQw4w9WgXcQdQw4w9WgXcQdQw4w9WgXcQ/")
    (line,) = written()
    assert line["logger"] == "django.security.csrf"
    assert "dQw4w9" not in json.dumps(line)


@pytest.mark.django_db
def test_who_sends_rubbish_does_not_fill_the_log_with_tracebacks(written) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies["csrftoken"] = "a" * 32
    assert browser.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
    assert browser.post("/", b"a=1", content_type="multipart/form-data").status_code == 400
    lines = written()
    assert len(lines) == 2
    assert not any("exception" in line for line in lines)


@pytest.mark.django_db
def test_an_answer_and_its_lines_share_an_id(written) -> None:
    answers = [async_to_sync(HttpCommunicator(application, "GET", "/nowhere/").get_response)() for _ in range(2)]
    ids = [dict(answer["headers"])[b"X-Request-ID"].decode() for answer in answers]
    assert ids[0] != ids[1]
    assert [line["request_id"] for line in written()] == ids


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_tells_where_and_not_what_was_in_hand(form) -> None:
    """Local variables of ours are seeds, sealed bids and keys."""
    before, output = structlog.get_config(), io.StringIO()
    formatter = logs.configure(form, "INFO")["formatters"]["line"]
    handler = logging.StreamHandler(output)
    handler.setFormatter(formatter.pop("()")(**formatter))
    logger = logging.Logger("lone")
    logger.addHandler(handler)
    seed = "s3cret" + "0" * 10
    try:
        assert seed[99]
    except IndexError:
        logger.exception("failed")
    structlog.configure(**before)
    assert "IndexError" in output.getvalue()
    assert "s3cret" not in output.getvalue()
