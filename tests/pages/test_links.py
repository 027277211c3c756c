"""Addresses in texts of people: links that lead where they seem to lead, and nothing else."""

import re

import pytest

from matches.pages.texts import linked


def links_in(text: str) -> list[str]:
    found = re.findall(r'<a href="([^"]*)" rel="nofollow ugc noopener noreferrer" dir="ltr">([^<]*)</a>', linked(text))
    assert linked(text).count("<a") == len(found)
    assert all(target == shown for target, shown in found), "a link shows where it leads"
    return [target for target, _ in found]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("See https://example.org/rules.", "https://example.org/rules"),
        ("(http://example.org/a_(b))", "http://example.org/a_(b)"),
        ("HTTPS://Example.org:8443/?q=1#part, and more", "HTTPS://Example.org:8443/?q=1#part"),
        ("“https://example.org/x”", "https://example.org/x"),
        ("https://example.org/ö", "https://example.org/%C3%B6"),
        ("https://example.org/%C3%B6", "https://example.org/%C3%B6"),
    ],
)
def test_an_address_becomes_a_link(text, target):
    assert links_in(text) == [target]


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "ftp://example.org/",
        "data:text/html,<b>x</b>",
        "//example.org/",
        "https://",
        "https://@/",
        "https://bank.example@evil.example/",
        "https://bank.example:443@evil.example/",
        "https://ex\u0430mple.org/",  # a Cyrillic letter
        "https://xn--80ak6aa92e.example/",  # such letters, coded
        "https://www.XN--80ak6aa92e.example/",
        "https://example\u3002org/",  # a full stop that browsers take for one
        "https://example\u2024org/",
        "https://exam\u200bple.org/",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1",
        "https://example.org\uff0f@evil.example/",
        "xhttps://example.org",
    ],
)
def test_what_could_deceive_somebody_becomes_none(text):
    assert links_in(text) == []


def test_everything_else_is_text():
    assert linked("<script>\"&'") == "&lt;script&gt;&quot;&amp;&#x27;"
    assert links_in('https://example.org/"onmouseover="x') == ["https://example.org/"]
    assert "&lt;b&gt;" in linked("https://example.org/<b>")
    assert linked("a\nb") == "a\nb"


def test_signs_that_turn_the_writing_direction_are_left_out():
    text = "\u202ehttps://example.org/\u2066gro.live\u2069"
    assert links_in(text) == ["https://example.org/gro.live"]
    assert not set("\u202e\u2066\u2069") & set(linked(text))
