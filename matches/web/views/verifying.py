"""Views to verify a match: its log with receipts, its draws, and the script that verifies an export."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import matches.proof
from matches.engine.strict_json import canonical
from matches.models import Match, Submission
from matches.pages.texts import row_in_words
from matches.queries import feed
from matches.queries.host_acts import named_in
from matches.queries.log import Receipt, is_private, log_rows, receipts
from matches.queries.names import NamesNow, names_now, shown_in
from matches.services.draws import Drawn
from matches.services.replay import draws_of
from matches.web.match_page import MatchPage, open_match_page

_A_PAGE = 100


@require_safe
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a player's receipts; after the match also the log, chained by hashes, and a check of a receipt."""
    page = open_match_page(request, public_id)
    mine: Sequence[Receipt] = receipts(page.player) if page.player else ()
    own = Paginator(mine, _A_PAGE).get_page(request.GET.get("own"))
    if not page.match.is_over:
        return render(request, "matches/log_closed.html", page.context("log", own=own))
    rows = Paginator(log_rows(page.match), _A_PAGE).get_page(request.GET.get("page"))
    cancelled = page.match.status == Match.Status.CANCELLED
    receipt = request.GET.get("receipt", "").strip().lower()[:64]
    found = page.match.log.filter(receipt_hash=receipt).first() if receipt else None
    now = names_now(page.match, named_in([*rows, *([found] if found else [])]))
    names = feed.NamesThen(page.match)
    context = page.context(
        "log",
        rows=[_row(page, row, names, now) for row in rows],
        listed=rows,
        head=page.match.log_head,
        count=page.match.log_count,
        log_address=request.build_absolute_uri(reverse("matches:log_json", args=[public_id])),
        receipt=receipt,
        found=_row(page, found, names, now) if found else None,
        own=own,
        **(checks_of_draws(page.match) if cancelled else {}),
        cancelled=cancelled,
    )
    return render(request, "matches/log.html", context)


def _row(page: MatchPage, row: Submission, names: feed.NamesThen, now: NamesNow) -> dict[str, Any]:
    """A row of the log as everyone may read it after the match."""
    private = is_private(page.match, row, page.player)
    # The voter's name would reveal whose vote was drawn, because the draws can be repeated from the seed.
    kind, name = ("", "") if private else row.actor.partition(":")[::2]
    # The open log as JSON has the row as it was hashed.
    payload = canonical(shown_in(json.loads(row.payload), now)) if now else row.payload
    return {
        "number": row.number,
        "at": row.received_at,
        "who": kind,
        "name": name if kind == "player" else now.get(name, name),
        "is_player": kind == "player",
        "then": names.changed(row.number),
        "words": "" if private else row_in_words(page.match, row, names.at(row.number), now),
        "payload": "" if private else payload,
        "is_renamed": payload != row.payload or (kind != "player" and name in now),
        "accepted": row.accepted,
        "private": private,
        # The reason for the refusal would reveal what was sent.
        "code": "" if private else row.code,
        "hash": row.hash,
        # A vote could be guessed from the receipt's hash and salt, because there are few possible votes.
        "receipt": "" if private else row.receipt_hash,
        "salt": "" if private else row.salt,
    }


def checks_of_draws(match: Match) -> dict[str, Any]:
    """Return the lines of the Python snippet that checks the draws."""
    return {"draws": [_check_of(drawn) for drawn in draws_of(match)]}


def _check_of(drawn: Drawn) -> str:
    """A line of Python that prints True, using the functions that the result page shows."""
    purpose, among, came = map(json.dumps, drawn[1:])
    match drawn.kind:
        case "choice":
            return f"print(one_of({purpose}, {among}) == {came})  # True"
        case "order":
            return f"print(order_of({purpose}, {among}) == {came})  # True"
        case _:
            return f"print(below(stream({purpose}), {among}) == {came})  # True"


_NAME = "check_export.py"


@require_safe
def checking(request: HttpRequest) -> HttpResponse:
    """Explain what can be checked, and how."""
    return render(request, "matches/checking.html")


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """Send the script that verifies exported files, to keep and to read."""
    headers = {"Content-Disposition": f'attachment; filename="{_NAME}"', "Cache-Control": "public, max-age=3600"}
    return HttpResponse(_script(), content_type="text/x-python; charset=utf-8", headers=headers)


@cache
def _script() -> bytes:
    return Path(matches.proof.__file__).with_name(_NAME).read_bytes()
