"""JSON as people write it by hand: taken as it is, or refused in one sentence."""

import json

from hypothesis import given
from hypothesis import strategies as st

from matches.engine.strict_json import NotJson, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES, st.booleans())
def test_every_json_value_reads_as_it_is(value: object, ascii_only: bool) -> None:
    assert loads(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=60) | st.text(alphabet='[]{}",:0123456789.eE+-\\\\ntrufalsNI ', max_size=40).map(str.encode))
def test_anything_else_is_refused_in_one_line(data: bytes) -> None:
    try:
        loads(data)
    except NotJson as error:
        message = str(error)
    else:
        message = "fine"
    assert message.isprintable()
