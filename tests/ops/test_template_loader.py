"""Templates may be written one element a line: their line breaks are not sent, and no space that is meant gets lost."""

import pytest

from genius_site.template_loader import joined


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<p>\n  a\n</p>\n", "<p>a</p>"),
        ("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>", "<ul><li>a</li> <li>b</li></ul>"),
        ("<p>\n  one\n  two <b>three</b>\n  four\n</p>", "<p>one two <b>three</b> four</p>"),
        ("<b>a</b> <i>b</i>\n<u>c</u>", "<b>a</b> <i>b</i> <u>c</u>"),
        ("{% if a %}\n  x\n{% else %}\n  y\n{% endif %}\nz", "{% if a %}x{% else %}y{% endif %} z"),
        ("{% who a %}\n{% who b %}\nwin", "{% who a %}{% who b %} win"),
        ("{{ a }}\n{{ b }}\n<b>c</b>", "{{ a }} {{ b }} <b>c</b>"),
        (
            "{% for a in b %}\n  {{ a }}\n{% empty %}\n  c\n{% endfor %}",
            "{% for a in b %}{{ a }}{% empty %}c{% endfor %}",
        ),
        ("<br>\ntext\n<col>\n<b>x</b>", "<br> text <col> <b>x</b>"),
        ("<colgroup>\n  text", "<colgroup>text"),
        ("1 < 2\nand 3 > 2 {x}", "1 < 2 and 3 > 2 {x}"),
    ],
)
def test_a_line_break_is_a_space_between_elements_and_beside_text(source: str, sent: str) -> None:
    assert joined(source) == sent


@pytest.mark.parametrize("name", ["pre", "script", "style", "textarea"])
def test_what_keeps_its_white_space_keeps_it(name: str) -> None:
    kept = f"<{name} id='a'>\n  one\n\n  two\n</{name}>"
    assert joined(f"<p>\n{kept}\n</p>") == f"<p>{kept}</p>"
