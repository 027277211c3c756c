"""Making structs from objects that have attributes of the same names."""

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def filled(kind: type[S], source: object, **own: Any) -> S:
    """A struct of this kind whose fields are `own`, or else the source's attributes of the same names."""
    return kind(**{name: getattr(source, name) for name in kind.__struct_fields__ if name not in own}, **own)
