"""Style sheets say with tokens what tokens can say, and change the layout at three widths and two heights only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.files import ROOT, File, files
from tests.architecture.styles import Rule, rules

TOKENS = "static/css/tokens.css"
HOSTS_ALONE = ("static/css/admin.css", "static/css/console")


def sheets() -> list[File]:
    """Every sheet but the tokens', which are where values are written out."""
    return [file for file in files(".css", under=("static/", "matches/")) if file.path != TOKENS]


def test_there_is_something_to_look_at() -> None:
    paths = [file.path for file in sheets()]
    assert "static/css/base.css" in paths
    assert any(path.startswith("matches/games/") for path in paths)


# -- widths --------------------------------------------------------------------------------------

QUERY = re.compile(r"\([^()]*\b(?:width|inline-size|height)\b[^()]*\)")
WIDTH = re.compile(r"\(width (?:<|>=) (\d+rem)\)")
LOW = ("(height < 30rem)", "(height < 20rem)")
"""Where nothing sticks at the head of a window, nor at its foot."""


def widths() -> set[str]:
    """The scale, as the head of tokens.css names it."""
    head = (ROOT / TOKENS).read_text().split("*/")[0]
    return set(re.findall(r"^ \*   (\d+rem)  \w+: ", head, re.MULTILINE))


def odd_widths(file: File) -> Iterator[str]:
    heads = [rule.head for rule in rules(file)] if file.path.endswith(".css") else [file.text]
    for head in heads:
        if head.startswith(("@media", "@container")) or file.path.endswith(".js"):
            for query in QUERY.findall(head):
                known = WIDTH.fullmatch(query)
                if query not in LOW and (not known or known.group(1) not in widths()):
                    yield f"{file.path} asks for {query}"


def test_the_scale_of_widths_is_named() -> None:
    assert widths() == {"30rem", "40rem", "60rem", "80rem"}


def test_layouts_change_at_widths_of_the_scale_only() -> None:
    assert [fault for file in sheets() for fault in odd_widths(file)] == []


def test_so_do_scripts() -> None:
    asking = [file for file in files(".js", under=("static/js/", "matches/")) if "matchMedia" in file.text]
    assert asking
    calls = [File(file.path, call) for file in asking for call in re.findall(r"matchMedia\([^\n;]*", file.text)]
    assert [fault for call in calls for fault in odd_widths(call)] == []


@pytest.mark.parametrize(
    "query",
    [
        "@media (width < 41rem)",
        "@media (max-width: 40rem)",
        "@media (min-width: 60rem) and (scripting: none)",
        "@container board (inline-size >= 40rem)",
        "@media (height < 25rem)",
        "@media (30rem <= width <= 40rem)",
    ],
)
def test_a_planted_width_is_found(query: str) -> None:
    assert list(odd_widths(File("x.css", f"{query} {{ p {{ color: red }} }}")))


def test_other_questions_are_free() -> None:
    sheet = "@media (scripting: none) and (width < 40rem) {} @media print {} @media (hover: none) {}"
    assert list(odd_widths(File("x.css", sheet))) == []


# -- type and space ------------------------------------------------------------------------------

MEASURED = re.compile(r"font(-size)?|line-height|((row|column)-)?gap|(padding|margin)(-\w+)*|border-radius")
LITERAL = re.compile(r"(?<![\w.-])-?\d*\.?\d+(?:rem|em|px|pt|ch|ex|lh)\b")
# In `font: 600 1rem / 1.5 serif` the number behind the stroke; alone in `line-height: 1.5`.
BARE_LEADING = re.compile(r"/ ?[\d.]+(?: |$)")


def own_measures(file: File) -> Iterator[str]:
    for rule in rules(file):
        for name, value in rule.declarations:
            if not MEASURED.fullmatch(name):
                continue
            literal = [found for found in LITERAL.findall(value) if not _is_drawn(rule, name, found)]
            bare = name == "line-height" and re.fullmatch(r"[\d.]+%?", value)
            bare = bare or (name == "font" and BARE_LEADING.search(value))
            bare = bare or ("font" in name and re.search(r"\d%", value))
            if literal or bare:
                yield f"{rule} has {name}: {value}"


def _is_drawn(rule: Rule, name: str, value: str) -> bool:
    """Letters within a drawing are measured in the drawing's own units. One line of text, as tall as it is, is no size
    of its own either."""
    drawn = name in ("font", "font-size") and value.endswith("px") and any(n == "fill" for n, _ in rule.declarations)
    return drawn or value == "1lh"


def test_type_and_space_come_from_tokens() -> None:
    assert [fault for file in sheets() for fault in own_measures(file)] == []


@pytest.mark.parametrize(
    "line",
    [
        "font-size: 0.75rem",
        "font-size: 0.9em",
        "font-size: 90%",
        "font-size: clamp(1rem, 4cqi, 2rem)",
        "font-size: 12px",
        "font: 600 1rem / var(--leading) var(--sans)",
        "font: 600 var(--text-md) / 1.3 var(--sans)",
        "font: 600 var(--text-md)/1 var(--sans)",
        "line-height: 1.3",
        "gap: 0 0.5em",
        "row-gap: 3px",
        "padding: var(--space-1) 5px",
        "padding-inline-start: .3rem",
        "margin-block: calc(-1 * 0.7rem)",
        "border-radius: 3px",
    ],
)
def test_a_planted_measure_is_found(line: str) -> None:
    assert list(own_measures(File("x.css", f"@media print {{ p {{ color: red; {line}; }} }}")))


@pytest.mark.parametrize(
    "line",
    [
        "padding: 0 clamp(var(--space-2), 2.5vw, var(--space-5))",
        "margin: 0 auto",
        "gap: calc(-1 * var(--space-2))",
        "font: 700 15px var(--sans); fill: var(--ink)",
        "border-radius: 50%",
        "padding-block: calc((var(--touch) - 1lh) / 2)",
        "width: 3rem",
        "grid-template-columns: 4rem 1fr",
    ],
)
def test_what_no_token_says_is_free(line: str) -> None:
    assert list(own_measures(File("x.css", f"p {{ {line} }}"))) == []


# -- colours -------------------------------------------------------------------------------------

COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|light-dark)\("
    r"|(?<![\w-])(?:white|black|red|green|blue|gr[ae]y|silver|gold|orange|yellow|brown|pink|purple|navy|teal)(?![\w-])",
    re.IGNORECASE,
)


def own_colours(file: File) -> Iterator[str]:
    for rule in rules(file):
        for name, value in rule.declarations:
            if COLOUR.search(re.sub(r"\"[^\"]*\"", "", value)):
                yield f"{rule} has {name}: {value}"


def test_colours_come_from_tokens() -> None:
    assert [fault for file in sheets() for fault in own_colours(file)] == []


@pytest.mark.parametrize("value", ["#fff", "rgb(0 0 0 / 0.5)", "1px solid black", "light-dark(var(--a), var(--b))"])
def test_a_planted_colour_is_found(value: str) -> None:
    assert list(own_colours(File("x.css", f"p {{ border: {value}; }}")))


def test_names_of_tokens_are_no_colours() -> None:
    text = "p { color: var(--gold); white-space: nowrap; fill: color-mix(in srgb, var(--silver) 4%, transparent); }"
    assert list(own_colours(File("x.css", text))) == []


# -- what a push costs ---------------------------------------------------------------------------

ANYTHINGS_NEIGHBOUR = re.compile(r"(?:^|[\s>(,])\*\s*[+~]")
ON_ANYTHING = re.compile(r"(?:^|[\s>+~,])(?:\*|:root|html|body|\.page)?:has\(")


def dear(head: str) -> bool:
    """Whether something that comes or goes anywhere makes a browser style all of the page again: morphs of htmx put an
    element behind the body, and `* + *` makes everything its neighbour."""
    return bool(ANYTHINGS_NEIGHBOUR.search(head) or ON_ANYTHING.search(head))


def test_no_rule_makes_a_push_style_the_whole_page_again() -> None:
    pages = [file for file in sheets() if not file.path.startswith(HOSTS_ALONE)]
    assert [f"{rule}" for file in pages for rule in rules(file) if dear(rule.head)] == []


@pytest.mark.parametrize(
    ("head", "is_dear"),
    [
        (".prose > * + *", True),
        (":has(> .draft)", True),
        ("html:has(.match-line)", True),
        (".prose > :where(:not(:first-child))", False),
        (".note + .note", False),
        (".match-line:has(> form)", False),
    ],
)
def test_what_makes_a_rule_dear(head: str, is_dear: bool) -> None:
    assert dear(head) == is_dear
