"""Posting to typed addresses, at a real HTTPS receiver on this machine."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from notices import safe_http
from notices.safe_addresses import AddressRefused, NotReached
from notices.safe_http import MOST_READ, post
from tests.fixtures.receiver import HOST, Receiver, Reply, TestNetwork, certificate

SHORT = 0.6  # instead of five seconds


def test_a_post_arrives_and_is_answered(receiver: Receiver, network: TestNetwork) -> None:
    receiver.replies.append(Reply(201, (("Retry-After", "7"),), b"thanks"))
    answer = post(receiver.url("/a%20b/ä?c=d#e"), b"{}", {"Content-Type": "application/json", "webhook-id": "1"})
    assert (answer.status, answer.body, answer.retry_after, answer.is_good) == (201, b"thanks", 7, True)
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


def test_of_a_huge_answer_only_the_beginning_is_read(receiver: Receiver, network: TestNetwork) -> None:
    receiver.replies.append(Reply(200, (), b"x" * (4 * MOST_READ)))
    assert post(receiver.url(), b"", {}).body == b"x" * MOST_READ


def test_a_packed_answer_is_not_unpacked(receiver: Receiver, network: TestNetwork) -> None:
    receiver.replies.append(Reply(200, (("Content-Encoding", "gzip"),), b"not packed at all"))
    assert post(receiver.url(), b"", {}).body == b"not packed at all"


def _drip(of: bytes) -> object:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        pause = threading.Event()
        try:
            handler.wfile.write(of[:40])
            for byte in of[40:]:
                pause.wait(0.1)
                handler.wfile.write(bytes([byte]))
        except OSError:
            return

    return behave


def test_headers_that_drip_in_are_cut_off_at_the_end(
    receiver: Receiver, network: TestNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_http, "MOST_SECONDS", SHORT)
    receiver.behave = _drip(b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"b" * 1000)  # type: ignore[assignment]
    began = time.monotonic()
    with pytest.raises(NotReached) as failed:
        post(receiver.url(), b"", {})
    assert failed.value.code == "timeout"
    assert time.monotonic() - began < 5 * SHORT


def test_a_body_that_drips_in_is_cut_off_and_was_an_answer(
    receiver: Receiver, network: TestNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_http, "MOST_SECONDS", SHORT)
    receiver.behave = _drip(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + b"b" * 1000)  # type: ignore[assignment]
    began = time.monotonic()
    assert post(receiver.url(), b"", {}).status == 200
    assert time.monotonic() - began < 5 * SHORT


def test_a_handshake_that_never_ends_is_cut_off(network: TestNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "MOST_SECONDS", SHORT)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NotReached) as failed:
        post(f"https://{HOST}:{silent.getsockname()[1]}/", b"", {})
    assert failed.value.code == "timeout"


def test_a_look_up_that_hangs_is_left_behind(network: TestNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "MOST_SECONDS", SHORT)
    released = threading.Event()
    monkeypatch.setattr(network, "resolve", lambda host, port: [str(released.wait(20))])
    with pytest.raises(NotReached) as failed:
        post(f"https://{HOST}/", b"", {})
    released.set()
    assert failed.value.code == "timeout"


def test_an_unknown_name_and_a_closed_port_say_so(network: TestNetwork) -> None:
    with pytest.raises(NotReached) as unknown:
        post("https://nobody.example/", b"", {})
    assert unknown.value.code == "unknown_host"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(NotReached) as closed:
        post(f"https://{HOST}:{port}/", b"", {})
    assert closed.value.code == "no_answer"


def test_the_second_address_is_tried_where_the_first_takes_no_connection(
    receiver: Receiver, network: TestNetwork
) -> None:
    network.allowed.add("127.0.0.2")
    network.names[HOST] = [["127.0.0.2", "127.0.0.1"]]
    assert post(receiver.url(), b"", {}).is_good
    assert len(receiver.taken) == 1


def test_what_is_not_http_is_no_answer(receiver: Receiver, network: TestNetwork) -> None:
    receiver.behave = lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n") and None
    with pytest.raises(NotReached) as failed:
        post(receiver.url(), b"", {})
    assert failed.value.code == "no_answer"


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
