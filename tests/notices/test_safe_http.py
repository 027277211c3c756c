"""Posting to typed addresses, at a real HTTPS receiver on this machine."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from notices import safe_http
from notices.safe_http import AddressRefused, NotReached, post
from tests.fixtures.receiver import HOST, Receiver, Reply, TestNetwork, certificate


def test_a_post_arrives_and_is_answered(receiver: Receiver, network: TestNetwork) -> None:
    receiver.replies.append(Reply(201, (("Retry-After", "7"),), b"thanks"))
    answer = post(receiver.url("/a%20b/ä?c=d#e"), b"{}", {"Content-Type": "application/json", "webhook-id": "1"})
    assert (answer.status, answer.retry_after, answer.is_good) == (201, 7, True)
    [taken] = receiver.taken
    assert (taken.path, taken.body) == ("/a%20b/%C3%A4?c=d", b"{}")
    assert taken.headers["host"] == f"{HOST}:{receiver.port}"
    assert taken.headers["webhook-id"] == "1"


def test_an_address_that_was_typed_before_the_site_had_a_list_gets_nothing(
    receiver: Receiver, network: TestNetwork, settings: Any
) -> None:
    settings.OUTGOING_HOSTS = ["discord.com"]
    with pytest.raises(AddressRefused, match=r"discord\.com"):
        post(receiver.url(), b"", {})
    assert receiver.taken == []
    settings.OUTGOING_HOSTS = [HOST]
    assert post(receiver.url(), b"", {}).is_good


@pytest.mark.parametrize("inside", ["127.0.0.1", "::1", "10.0.0.7", "169.254.169.254", "::ffff:127.0.0.1", "fd00::1"])
def test_a_name_inside_is_refused_before_anything_is_sent(
    receiver: Receiver, network: TestNetwork, inside: str
) -> None:
    network.allowed.clear()
    network.names[HOST] = [[inside]]
    with pytest.raises(AddressRefused) as refused:
        post(receiver.url(), b"", {})
    assert refused.value.code == "not_public"
    assert receiver.taken == []


def test_one_inside_among_public_ones_is_refused(receiver: Receiver, network: TestNetwork) -> None:
    network.names[HOST] = [["127.0.0.1", "10.0.0.1"]]
    with pytest.raises(AddressRefused):
        post(receiver.url(), b"", {})
    assert receiver.taken == []


def test_the_real_network_refuses_this_machine(receiver: Receiver) -> None:
    with pytest.raises(AddressRefused) as refused:
        post(f"https://localhost:{receiver.port}/", b"", {})
    assert refused.value.code == "not_public"
    assert receiver.taken == []


def test_the_connection_goes_to_the_address_that_was_checked(
    receiver: Receiver, network: TestNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that resolves to something else at the second look-up has not been looked up a second time."""
    connected: list[str] = []
    network.names[HOST] = [["127.0.0.1"], ["10.0.0.1"]]
    through = socket.getaddrinfo

    def noted(host: str, *args: object, **named: object) -> object:
        connected.append(host)
        return through(host, *args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", noted)
    assert post(receiver.url(), b"", {}).is_good
    assert network.asked == [HOST]
    assert connected == ["127.0.0.1"]


def test_the_certificate_must_be_of_the_name(receiver: Receiver, network: TestNetwork) -> None:
    network.names["other.example.org"] = [["127.0.0.1"]]
    with pytest.raises(NotReached) as failed:
        post(receiver.url(host="other.example.org"), b"", {})
    assert failed.value.code == "certificate"
    assert receiver.taken == []


def test_a_certificate_that_nobody_has_signed_is_refused(network: TestNetwork) -> None:
    stranger = Receiver(certificate(HOST, "another"))
    try:
        with pytest.raises(NotReached) as failed:
            post(stranger.url(), b"", {})
        assert failed.value.code == "certificate"
        assert stranger.taken == []
    finally:
        stranger.close()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(receiver: Receiver, network: TestNetwork, status: int) -> None:
    receiver.replies.append(Reply(status, (("Location", receiver.url("/inside")),)))
    answer = post(receiver.url("/first"), b"x", {})
    assert (answer.status, answer.is_good) == (status, False)
    assert [each.path for each in receiver.taken] == ["/first"]


@pytest.mark.parametrize("part", [b"X: y\r\n", b""])
def test_what_drips_in_is_cut_off(
    receiver: Receiver, network: TestNetwork, monkeypatch: pytest.MonkeyPatch, part: bytes
) -> None:
    """A header line, or nothing, again and again without an end."""
    over = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not over.wait(0.02):
            handler.wfile.write(part)

    receiver.behave = drip
    monkeypatch.setattr(safe_http, "MOST_SECONDS", 0.5)
    try:
        with pytest.raises(NotReached) as failed:
            post(receiver.url(), b"", {})
    finally:
        over.set()
    assert failed.value.code == "timeout"


def test_a_program_on_this_machine_gets_posts_by_http_where_the_site_serves_this_machine_alone(settings: Any) -> None:
    taken: list[bytes] = []

    class Local(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Local)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        with pytest.raises(AddressRefused, match="https"):
            post(url, b"{}", {})
        settings.LOCAL_RECEIVERS = True
        assert post(url, b"{}", {}).status == 204
        for other in ("http://example.org/", "http://10.0.0.1:8000/", "https://127.0.0.1/"):
            with pytest.raises(AddressRefused):
                post(other, b"{}", {})
    finally:
        server.shutdown()
        server.server_close()
    assert taken == [b"{}"]
