"""A person's private notes about a match: reading, storing and exporting them."""

from collections.abc import Collection
from hashlib import sha256
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.infra import rate_limits
from matches.infra.text import NUL
from matches.models import clock
from matches.pages.extensions import Addition, Panel
from matches.queries.access import Viewer
from matches.services.errors import Refused, TooLarge, retrying
from matches.web.match_page import MatchPage, open_match_page
from notes.models import Notebook


def notebook_of(viewer: Viewer) -> Notebook | None:
    """Return this person's notes about this match; None for visitors, and if there are none."""
    if not viewer.user.is_authenticated:
        return None
    return Notebook.objects.filter(match_id=viewer.match.pk, user_id=viewer.user.pk).first()


def as_json(viewer: Viewer) -> dict[str, Any]:
    """Return the notes as JSON for their owner."""
    book = notebook_of(viewer)
    return {
        "match": {"id": viewer.match.public_id, "title": viewer.match.title},
        "text": book.text if book else "",
        "changed_at": book.changed_at.isoformat() if book else None,
    }


LONGEST = 20_000


class ChangedElsewhere(Refused):
    """The notes have changed since the page was loaded."""

    code = "changed_elsewhere"
    status = 409


@retrying
def write(viewer: Viewer, text: str, seen: str, sent: Collection[str] = ()) -> Notebook:
    """Store a person's notes about a match. `seen`: `version_of` the last notes that the page knows to be stored;
    `sent`: what it has sent since without an answer. Raises `TooLarge`, and `ChangedElsewhere` if another page has
    changed them meanwhile."""
    text, *sent = (each.replace(NUL, "").replace("\r\n", "\n") for each in (text, *sent))
    if len(text) > LONGEST:
        raise TooLarge(f"Notes can have up to {LONGEST} characters; these have {len(text)}.", field="text")
    with transaction.atomic():
        mine = {"match_id": viewer.match.pk, "user_id": viewer.user.pk}
        book, _ = Notebook.objects.select_for_update().get_or_create(**mine, defaults={"changed_at": clock.now()})
        if seen != version_of(book) and book.text not in (text, *sent):
            raise ChangedElsewhere(
                "You have changed these notes elsewhere. Copy what you typed, and open this page again.", field="text"
            )
        book.text, book.changed_at = text, clock.now()
        book.save()
    return book


def version_of(book: Notebook | None) -> str:
    """Return a hash of the text; empty without text."""
    return sha256(book.text.encode()).hexdigest()[:16] if book and book.text else ""


# -- pages ---------------------------------------------------------------------------------------------------


def additions_of(viewer: Viewer) -> tuple[Addition, ...]:
    """Return the panel of notes, for everybody with an account."""
    if not viewer.user.is_authenticated:
        return ()
    own = panel_context(viewer)
    return (
        Panel("notebook", "Your notes", template="notes/panel.html", own=own, is_open=bool(own["text"]), is_mine=True),
    )


def panel_context(viewer: Viewer) -> dict[str, Any]:
    """Return the context of a person's notes. `kept_as`: the key under which a player's browser stores unsent text."""
    book = notebook_of(viewer)
    return {
        "text": book.text if book else "",
        "seen": version_of(book),
        "longest": LONGEST,
        "kept_as": f"{viewer.match.public_id}:{viewer.player.handle}:{viewer.user.pk}" if viewer.player else "",
    }


_SAVED_LATER = "That was too fast. We will save this change with your next one."


@login_required
@never_cache
def notebook(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a person's notes; a POST stores them."""
    page = open_match_page(request, public_id)
    if request.method != "POST":
        return _show(request, page, panel_context(page.viewer))
    text = request.POST.get("text", "")
    if rate_limits.action_rates().take(f"notebook:{request.user.pk}"):
        return _answer(request, page, _SAVED_LATER, 429, text)
    try:
        book = write(page.viewer, text, request.POST.get("seen", ""), request.POST.getlist("sent"))
    except Refused as refused:
        return _answer(request, page, refused.message, refused.status, text)
    if _is_script(request):
        return JsonResponse({"seen": version_of(book)})
    return redirect(f"{page.address()}#notebook")


@login_required
@require_safe
@never_cache
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """Download a person's own notes."""
    page = open_match_page(request, public_id)
    answer = JsonResponse(as_json(page.viewer), json_dumps_params={"ensure_ascii": False, "indent": 2})
    answer["Content-Disposition"] = f'attachment; filename="notes-{page.match.public_id}.json"'
    return answer


def _is_script(request: HttpRequest) -> bool:
    return "X-Requested-With" in request.headers


def _answer(request: HttpRequest, page: MatchPage, error: str, status: int, text: str) -> HttpResponse:
    if _is_script(request):
        return JsonResponse({"error": error}, status=status)
    own = panel_context(page.viewer)
    # With the version that the page knew, so that saving it again writes over nothing either.
    own |= {"text": text, "seen": request.POST.get("seen", ""), "stored": own["text"]}
    return _show(request, page, own, error=error, status=status)


def _show(
    request: HttpRequest, page: MatchPage, own: dict[str, Any], *, error: str = "", status: int = 200
) -> HttpResponse:
    return render(request, "notes/notebook.html", page.context("notebook", error=error, own=own), status=status)
