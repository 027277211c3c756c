"""Replaces the system's random bytes: in a simulation even salts and nonces come from the seed."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_real_random: Any = random


@contextmanager
def seeded(chance: random.Random) -> Iterator[None]:
    """During the block `os.urandom`, and with it `secrets` and `uuid4`, draw from `chance`."""
    before, before_secrets, state = os.urandom, _real_random._urandom, random.getstate()
    os.urandom = _real_random._urandom = chance.randbytes
    random.seed(chance.getrandbits(64))
    try:
        yield
    finally:
        os.urandom, _real_random._urandom = before, before_secrets
        random.setstate(state)
