"""Canonical JSON: equal values are equal bytes, so that their hashes are."""

from __future__ import annotations

import json

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> str:
    """A value as the one JSON text that stands for it: sorted keys, no spaces."""
    try:
        return _encoder.encode(value).decode()
    except UnicodeEncodeError:
        # Half of a surrogate pair is possible in JSON, but not in UTF-8. As an escape sequence it can be stored.
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
