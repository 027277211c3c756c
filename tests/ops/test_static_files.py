"""Files are served whole, and none stays open."""

import pytest
from django.templatetags.static import static

pytestmark = pytest.mark.django_db  # an answer that is closed looks after connections that other tests left open


@pytest.mark.parametrize("method", ["get", "head"])
def test_a_served_file_is_closed_when_its_answer_is_made(client, method) -> None:
    whole = getattr(client, method)(static("img/favicon.svg"))
    assert whole.status_code == 200
    assert not whole.streaming
    assert int(whole["Content-Length"]) > 100
    assert (len(whole.content) == int(whole["Content-Length"])) is (method == "get")
    known = getattr(client, method)(static("img/favicon.svg"), headers={"If-Modified-Since": whole["Last-Modified"]})
    assert (known.status_code, known.content) == (304, b"")
    part = client.get(static("img/favicon.svg"), headers={"Range": "bytes=0-9"})
    assert (part.status_code, len(part.content)) == (206, 10)
