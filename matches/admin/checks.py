"""What is wrong with a form, while somebody fills it in: errors at their fields, and nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, JsonResponse

from matches.engine.sentences import counted


def is_check(request: HttpRequest) -> bool:
    """Whether a form was sent by the page's script to be checked, and not to be saved."""
    return request.method == "POST" and "_check" in request.POST


def answer(forms: Iterable[Any], *more: str) -> JsonResponse:
    """`errors`: id of a field -> sentences; `said`: all of it in a line, empty where nothing is wrong. What is only
    missing is not an error yet: it may still come. `more` are sentences about the whole form."""
    errors: dict[str, list[str]] = {}
    whole = [text for text in more if text]
    for form in forms:
        for name, found in form.errors.as_data().items():
            texts = [text for each in found if each.code != "required" for text in each.messages]
            if name in form.fields and texts:
                errors[form[name].auto_id] = texts
            elif name not in form.fields:
                whole += texts
    if errors:
        whole.insert(0, f"Nothing is saved yet, and {counted(len(errors), 'field needs', 'fields need')} another look.")
    return JsonResponse({"errors": errors, "said": " ".join(whole)})
