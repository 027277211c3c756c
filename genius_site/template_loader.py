"""A template loader that drops line breaks and indentation, so that templates can have one element a line.

A line break together with the indentation around it
- is nothing beside a template tag, directly inside an element or block, and at both ends of a file;
- is one space between two elements, so that words stay apart even without a style sheet; next to text or a
`{{ value }}`; between attributes, and between the arguments of a template tag. Values of attributes are treated like
the content of elements.

A space that is meant beside a template tag is written on its line, or as `{{ " " }}` on a line of its own. `<pre>` and
the like keep every character, and comments vanish. All this is done once, when a template is loaded, so it does not
slow down rendering.
"""

import re
from collections.abc import Iterator

from django.template.base import Origin
from django.template.loaders import filesystem

_TAGS = "{%.*?%}|{{.*?}}"  # may contain quotes and angle brackets
_TOKEN = re.compile(
    rf"""
    (?P<comment> {{\#.*?\#}} | {{%\s*comment\b.*?{{%\s*endcomment\s*%}} )
    | (?P<raw> <(?P<name>pre|script|style|textarea)\b.*?</(?P=name)\s*> )
    | (?P<block> {{%.*?%}} )
    | (?P<blank> {{{{\ "\ "\ }}}} )
    | (?P<value> {{{{.*?}}}} )
    | (?P<tag> </?[a-z!] (?: {_TAGS} | "(?:{_TAGS}|[^"])*" | '(?:{_TAGS}|[^'])*' | [^<>"'] )* > )
    | (?P<space> \s*\n\s* )
    | (?P<text> (?:(?!\s*\n|[<{{]).)+ | . )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_LINE_BREAK = re.compile(r"\s*\n\s*")
_IN_ELEMENTS = [
    (re.compile(r"\s+"), " "),
    (re.compile(r" ?({% (?:if|elif|else|for)\b[^%]*%}) ?"), r"\1 "),  # conditions bring the space that they need
    (re.compile(r" (?={% (?:if|for|end))| (?=/?>$)"), ""),
]
_QUOTED = re.compile(f'"((?:{_TAGS}|[^"])*)"', re.DOTALL)
_EMPTY = re.compile(
    r"<(?:!|(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)|.*/>$", re.DOTALL | re.IGNORECASE
)
_BLOCK_NAME = re.compile(r"{%\s*(\w+)")
_END = re.compile(r"{%\s*end(\w+)")
_MIDDLE = {"else", "elif", "empty"}

# The kinds of things beside a line break.
_OPENS, _CLOSES, _STANDS, _MIDDLE_OF, _TEXT, _BLANK = "opens", "closes", "stands", "middle", "text", "blank"
_BEGINS, _ENDS, _STANDS_ALONE = "<a>", "</a>", "<br>"
_LIKE = {_BEGINS: _OPENS, _ENDS: _CLOSES, _STANDS_ALONE: _STANDS}


class Loader(filesystem.Loader):
    """Django's loader for the site's own templates; those of other packages do not change."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return joined(contents) if str(origin.name).endswith((".html", ".svg")) else contents


def joined(source: str) -> str:
    """Return a template's source without line breaks and indentation."""
    found: list[str] = []
    left, broken = _OPENS, False
    for kind, text in _tokens(source):
        if kind == "comment":
            continue
        if kind == "space":
            broken = True
            continue
        if broken and not _is_nothing(left, kind):
            found.append(" ")
        found.append(text)
        left, broken = kind, False
    return "".join(found)


def _is_nothing(left: str, right: str) -> bool:
    """Whether a line break between the two is dropped rather than made a space."""
    if _BLANK in (left, right):
        return True
    if left in (_ENDS, _STANDS_ALONE) and right in (_BEGINS, _STANDS_ALONE):
        return False
    left, right = _LIKE.get(left, left), _LIKE.get(right, right)
    return left in (_OPENS, _MIDDLE_OF) or right in (_CLOSES, _MIDDLE_OF) or _TEXT not in (left, right)


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of the source: the kind of each next to a line break ("comment", "space": nothing), its text."""
    paired = set(_END.findall(source))
    for token in _TOKEN.finditer(source):
        text, group = token[0], token.lastgroup
        if group == "block":
            yield _block_kind(text, paired), _LINE_BREAK.sub(" ", text)
        elif group == "tag":
            yield _tag_kind(text), _joined_attributes(text) if "\n" in text else text
        elif group == "blank":
            yield _BLANK, " "
        elif group in ("value", "text"):
            yield _TEXT, text
        else:
            yield (_STANDS_ALONE if token["raw"] else group or ""), text


def _block_kind(text: str, paired: set[str]) -> str:
    name = match[1] if (match := _BLOCK_NAME.match(text)) else ""
    if name in _MIDDLE:
        return _MIDDLE_OF
    if name.startswith("end"):
        return _CLOSES
    return _OPENS if name in paired else _STANDS


def _tag_kind(text: str) -> str:
    if text.startswith("</"):
        return _ENDS
    return _STANDS_ALONE if _EMPTY.match(text) else _BEGINS


def _joined_attributes(tag: str) -> str:
    """Join the lines within an element's brackets: `<a\\n{% if b %}c{% endif %}>` becomes
    `<a{% if b %} c{% endif %}>`."""
    quoted: list[str] = []

    def put_away(found: re.Match[str]) -> str:
        quoted.append(joined(found[1]) if "\n" in found[1] else found[1])
        return f'"{len(quoted) - 1}"'

    tag = _QUOTED.sub(put_away, tag)
    for pattern, written in _IN_ELEMENTS:
        tag = pattern.sub(written, tag)
    return re.sub(r'"(\d+)"', lambda found: f'"{quoted[int(found[1])]}"', tag)
