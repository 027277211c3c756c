"""Other people's files are exactly those that their authors published, and each comes with its licence."""

import base64
import hashlib
import json
from pathlib import Path

from django.conf import settings

VENDOR = Path(settings.BASE_DIR) / "static" / "vendor"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text())


def test_every_vendored_file_is_in_the_manifest_and_the_other_way_round() -> None:
    listed = {f"{library['folder']}/{name}" for library in MANIFEST for name in library["sha384"]}
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.glob("*/**/*") if path.is_file()}
    assert present == listed


def test_every_vendored_file_has_its_published_hash() -> None:
    for library in MANIFEST:
        for name, expected in library["sha384"].items():
            digest = hashlib.sha384((VENDOR / library["folder"] / name).read_bytes()).digest()
            assert f"sha384-{base64.b64encode(digest).decode()}" == expected, name


def test_every_library_says_its_version_and_brings_its_licence() -> None:
    for library in MANIFEST:
        assert library["folder"].endswith(library["version"])
        assert library["licence"]
        assert (VENDOR / library["folder"] / "LICENSE").read_text().strip()
