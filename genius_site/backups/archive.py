"""The file of a backup: a tar of `manifest.json` and the copy of the database, which only its owner can read."""

from __future__ import annotations

import hashlib
import os
import tarfile
from io import BytesIO
from pathlib import Path

from genius_site.backups import manifest
from genius_site.backups.manifest import BadBackup, Manifest

_MANIFEST = "manifest.json"
_BLOCK = 1024 * 1024


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(target: Path, found: Manifest, copy: Path) -> None:
    """Make the file: whole or not at all, and on the disk when this returns."""
    draft = target.with_name(f".{target.name}.part")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            text = manifest.to_json(found)
            head = tarfile.TarInfo(_MANIFEST)
            head.size, head.mode = len(text), 0o600
            tar.addfile(head, BytesIO(text))
            body = tarfile.TarInfo(found.file)
            body.size, body.mode = found.size, 0o600
            with copy.open("rb") as source:
                tar.addfile(body, source)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Let the names in a folder outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_manifest(path: Path) -> Manifest:
    """What stands in front. Raises `BadBackup`."""
    try:
        with tarfile.open(path, mode="r:") as tar:
            first = tar.next()
            source = tar.extractfile(first) if first is not None and first.name == _MANIFEST else None
            if source is None:
                raise BadBackup("This is not a backup: it does not begin with a manifest.")
            return manifest.read(source.read())
    except tarfile.TarError:
        raise BadBackup("This is not a backup: it is not a tar file, or it is cut short.") from None
    except OSError as error:
        raise BadBackup(f"The file cannot be read: {error.strerror}.") from None


def unpack(path: Path, found: Manifest, target: Path) -> None:
    """Write the copy of the database to `target`. Raises `BadBackup` where a byte of it differs."""
    try:
        with tarfile.open(path, mode="r:") as tar, target.open("wb") as file:
            source = tar.extractfile(found.file)
            while source is not None and (block := source.read(_BLOCK)):
                file.write(block)
    except (tarfile.TarError, KeyError):
        raise BadBackup("The file is cut short.") from None
    if digest(target) != found.sha256:
        raise BadBackup("The copy in the file is not the one that was written there: its hash differs.")
