"""Pictures of people: uploads are decoded and drawn again, small and square, so that metadata (such as where a photo
was taken) or programs hidden in a file are neither stored nor served."""

import base64
import struct
from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Any

import resvg_py
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import Picture, User
from accounts.models.user import new_picture_token

MOST_BYTES = 200 * 1000
MOST_PIXELS = 12_500_000
SIDE = 160

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_one_at_a_time = Lock()  # a picture takes up to 100 MB for a moment
_MOST_SECONDS_IN_LINE = 5


class PictureForm(forms.Form):
    """The upload of a picture. After `is_valid`, `drawn` is the PNG to store."""

    picture = forms.FileField(
        label="Picture",
        help_text="A PNG or a JPEG of at most 200 kB. Your browser shrinks a larger picture. Everybody who can see "
        "the cast of your season can see it. The site keeps only a small square from its middle, and no record of "
        "when or where it was taken.",
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg", "data-most": MOST_BYTES}),
        error_messages={"required": "Choose a picture.", "empty": "This file is empty. Choose another."},
    )

    def clean_picture(self) -> Any:
        sent = self.cleaned_data["picture"]
        if sent.size > MOST_BYTES:  # before anything is read
            raise _too_large(f"This picture is {sent.size // 1000} kB, and the limit is 200 kB.")
        self.drawn = drawn(sent.read())
        return sent


def _too_large(message: str) -> ValidationError:
    return ValidationError(f"{message} Make it smaller, and send it again.", code="picture_too_large")


def drawn(data: bytes) -> bytes:
    """Return the middle of a picture as a small PNG. Raises `ValidationError` (`not_a_picture`, `busy`, ...)."""
    kind = "png" if data.startswith(_PNG) else "jpeg" if data.startswith(_JPEG) else ""
    pixels = max(_pixels(data, kind), default=0)
    if pixels > MOST_PIXELS:  # a small file can unfold into gigabytes
        raise _too_large("This picture has too many pixels. The limit is 12 million.")
    if not _one_at_a_time.acquire(timeout=_MOST_SECONDS_IN_LINE):
        raise ValidationError("Other people are sending pictures just now. Send yours again in a moment.", "busy")
    try:
        source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        found = _draw(source, _turn(data)) if pixels else _nothing()
    finally:
        _one_at_a_time.release()
    if found == _nothing():
        raise ValidationError("The site cannot read this picture. Choose a PNG or a JPEG.", "not_a_picture")
    return found


def _pixels(data: bytes, kind: str) -> Iterator[int]:
    """The numbers of pixels that the file's headers declare."""
    if kind == "png" and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        yield width * height
    at = 2
    while kind == "jpeg" and at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _SIZES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            yield width * height
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def _turn(data: bytes) -> int:
    """The degrees by which to turn the picture, from its EXIF data."""
    for order in "<>":
        _, found, noted = data.partition(struct.pack(f"{order}HHI", 0x112, 3, 1))
        if found:
            return {3: 180, 6: 90, 8: 270}.get(struct.unpack(f"{order}H", noted[:2].ljust(2, b"\0"))[0], 0)
    return 0


def _draw(source: str, turn: int = 0) -> bytes:
    image = (
        f'<image href="{source}" width="{SIDE}" height="{SIDE}" preserveAspectRatio="xMidYMid slice" '
        f'transform="rotate({turn} {SIDE / 2} {SIDE / 2})"/>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}">{image if source else ""}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


@cache
def _nothing() -> bytes:
    """What resvg draws for something that it cannot decode."""
    return _draw("")


def keep(user: User, data: bytes) -> None:
    """Store this as their picture, at a new address."""
    values = {"data": data, "token": new_picture_token(), "at": timezone.now()}
    Picture.objects.update_or_create(user=user, defaults=values)


def export(user: User) -> dict[str, Any] | None:
    """Return their picture as JSON for their export, or None."""
    found = Picture.objects.filter(user=user).first()
    return {"at": found.at, "png_base64": base64.b64encode(found.data).decode()} if found else None
