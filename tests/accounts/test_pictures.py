"""A person's picture is drawn again, small; what is none, or too large, is refused at the field."""

import base64
import json
import struct
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import deletion, pictures
from accounts.models import Picture, User

pytestmark = pytest.mark.django_db

PAGE = "/profile/picture/"


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(
    width: int = 40, height: int = 20, colour: bytes = b"\xc0\x40\x20", *, more: bytes = b"", rows: bytes = b""
) -> bytes:
    """A PNG, of one colour where no `rows` are given."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(rows or (b"\0" + colour * width) * height)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + more + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA="
)


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann")


@pytest.fixture
def browser(ann: User) -> Client:
    client = Client()
    client.force_login(ann)
    return client


def _send(browser: Client, data: bytes, name: str = "me.png") -> tuple[int, str]:
    answer = browser.post(PAGE, {"picture": SimpleUploadedFile(name, data)})
    return answer.status_code, answer.content.decode()


def test_a_picture_is_served_without_what_came_with_it_to_be_kept_for_good(ann: User, browser: Client) -> None:
    place = _chunk(b"eXIf", b"II*\0 48.8584 N, 2.2945 E") + _chunk(b"tEXt", b"Comment\0At home")
    assert _send(browser, png(more=place))[0] == 302
    first = ann.picture
    answer = Client().get(f"{PAGE}{first.token}.png")
    assert answer.content.startswith(b"\x89PNG")
    assert struct.unpack(">II", answer.content[16:24]) == (pictures.SIDE, pictures.SIDE)
    assert not any(told in answer.content for told in (b"48.8584", b"At home", b"eXIf"))
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert first.token in browser.get(PAGE).content.decode()
    assert _send(browser, png(colour=b"\x10\x80\x10"))[0] == 302
    assert Client().get(f"{PAGE}{first.token}.png").status_code == 404, "the one before is gone"
    browser.post(PAGE, {"remove": "1"})
    assert not Picture.objects.exists()


NO_PICTURES = [
    (b"not a picture at all", "not_a_picture", "cannot read this picture"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not_a_picture", "cannot read this picture"),
    (png()[:60], "not_a_picture", "cannot read this picture"),
    (b"\xff\xd8\xff\xe0" + b"\0" * 100, "not_a_picture", "cannot read this picture"),
    (png()[:16] + struct.pack(">II", 60_000, 60_000) + png()[24:], "picture_too_large", "too many pixels"),
    (JPEG.replace(b"\x00\x01\x00\x01\x01\x01\x11", b"\xff\xff\xff\xff\x01\x01\x11"), "picture_too_large", "pixels"),
    (png() + b"\0" * 200_000, "picture_too_large", "200 kB"),
]


def test_what_is_no_picture_or_too_large_is_refused_and_the_one_before_stays(ann: User, browser: Client) -> None:
    pictures.keep(ann, png())
    before = ann.picture.token
    for sent, code, said in NO_PICTURES:
        status, page = _send(browser, sent)
        assert (status, said in page) == (422, True)
        form = pictures.PictureForm({}, {"picture": SimpleUploadedFile("x", sent)})
        assert not form.is_valid()
        assert [error["code"] for error in form.errors.get_json_data()["picture"]] == [code]
        assert Picture.objects.get(user=ann).token == before


def test_an_account_takes_its_picture_along_and_leaves_none(ann: User) -> None:
    pictures.keep(ann, pictures.drawn(png()))
    exported = json.loads(json.dumps(deletion.export(ann)["profile"]["picture"], default=str))
    assert base64.b64decode(exported["png_base64"]).startswith(b"\x89PNG")
    deletion.delete(ann)
    assert not Picture.objects.exists()
