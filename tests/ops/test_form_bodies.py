"""Forms are read by Django alone, in a thread, and not by the server while everybody waits."""

import subprocess
import sys

READ = """
import daphne.server, genius_site.asgi
from unittest.mock import MagicMock
from daphne.http_protocol import WebRequest
from twisted.web.test.requesthelper import DummyChannel

WebRequest.process = lambda self: None
channel = DummyChannel()
channel.factory = MagicMock()
request = WebRequest(channel)
request.requestHeaders.setRawHeaders(b"content-type", [b"multipart/form-data; boundary=x"])
body = b'--x\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n--x--\\r\\n'
request.gotLength(len(body))
request.handleContentChunk(body)
request.requestReceived(b"POST", b"/", b"HTTP/1.1")
print(request.args, len(request.content.read()) == len(body))
"""


def test_the_server_leaves_the_body_of_a_form_as_it_came() -> None:
    found = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["{}", "True"]
