"""Puts the styles of mail into its HTML: by day at each element, which every program shows, by night in a sheet."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.conf import settings

_TOKEN = re.compile(r"^\s*(--[\w-]+):\s*light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\);", re.MULTILINE)
_USED = re.compile(r"var\((--[\w-]+)\)")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+){([^{}]*)}")


def styled(html: str) -> str:
    """The page with its styles. It has a `<head>`, and no styles of its own."""
    import css_inline  # slow to import

    by_day, by_night = _sheets()
    inliner = css_inline.CSSInliner(extra_css=by_day, load_remote_stylesheets=False)
    # Only now, so that it is left as it is.
    return inliner.inline(html).replace("</head>", f"<style>{by_night}</style></head>", 1)


@cache
def _sheets() -> tuple[str, str]:
    text = _COMMENT.sub("", Path(__file__).with_name("mail.css").read_text())
    tokens = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    days = {name: day for name, day, _ in _TOKEN.findall(tokens)}
    nights = {name: night for name, _, night in _TOKEN.findall(tokens)}
    by_night = " ".join(_rule_by_night(head, body, nights) for head, body in _RULE.findall(text))
    return _with(text, days), f"@media (prefers-color-scheme: dark) {{ {by_night} }}"


def _rule_by_night(head: str, body: str, nights: dict[str, str]) -> str:
    """The colours of a rule, stronger than those at the elements."""
    coloured = [each.strip() for each in body.split(";") if "var(--" in each]
    if not coloured:
        return ""
    return f"{head.strip()} {{ {' '.join(f'{_with(each, nights)} !important;' for each in coloured)} }}"


def _with(text: str, values: dict[str, str]) -> str:
    return _USED.sub(lambda used: values[used[1]], text)
