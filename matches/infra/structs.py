"""Structs made from what has attributes of the same names."""

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def filled(kind: type[S], source: object, **own: Any) -> S:
    """A struct of this kind with these fields of its `own`; each other one is the source's attribute of its name."""
    return kind(**{name: getattr(source, name) for name in kind.__struct_fields__ if name not in own}, **own)
