"""Each form that is posted brings a token against forged ones, without which the site would refuse it."""

import re
from collections.abc import Iterator

from tests.architecture.files import File, files, in_tests

FORM = re.compile(r"<form\b(?:{[{%#].*?[%#}]}|[^>{])*>", re.DOTALL)
_IS_POSTED = re.compile(r"\smethod\s*=\s*[\"']?post\b", re.IGNORECASE)
_LEADS_NOWHERE = 'action="#"'  # on the page that shows what forms look like


def forms_without_a_token(file: File) -> Iterator[str]:
    """Where a template begins a form that is posted and has none."""
    for found in FORM.finditer(file.text):
        if not _IS_POSTED.search(found[0]) or _LEADS_NOWHERE in found[0]:
            continue
        body = file.text[found.end() :].partition("</form>")[0]
        if "{% csrf_token %}" not in body:
            yield f"{file.path}:{file.text[: found.start()].count(chr(10)) + 1}"


def test_every_form_that_is_posted_has_a_token() -> None:
    templates = [file for file in files(".html") if not in_tests(file.path)]
    posted = [found[0] for file in templates for found in FORM.finditer(file.text) if _IS_POSTED.search(found[0])]
    assert len(posted) > 50
    assert [fault for file in templates for fault in forms_without_a_token(file)] == []
