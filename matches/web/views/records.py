"""What happened in a match: history, log, results, receipts and recap."""

import json
from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches.engine.strict_json import canonical
from matches.models import Match, Submission
from matches.pages.context import headline_of
from matches.pages.fragments import template_of
from matches.pages.sharing import BEGINNING, alt_of, picture_path, recap_of, share_of, told_in_parts
from matches.pages.texts import row_in_words
from matches.queries import feed
from matches.queries import matches as match_queries
from matches.queries.host_acts import host_act_rows, host_acts, named_in
from matches.queries.log import Receipt, is_private, log_rows, receipts
from matches.queries.names import NamesNow, names_now, shown_in
from matches.queries.story import story_of
from matches.services.draws import Drawn
from matches.services.replay import draws_of
from matches.web.match_page import MatchPage, leaf, open_match_page

_A_PAGE = 100
_MOST_ACTS = 200


@require_safe
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """What each round brought (where single bids are not the news), what hosts did, and every public bid; latest
    first."""
    page = open_match_page(request, public_id)
    names = feed.NamesThen(page.match)
    bids = Paginator(match_queries.public_bids(page.match), _A_PAGE).get_page(request.GET.get("page"))
    lines = [
        {
            "player": bid.player.handle,
            "then": names.changed(bid.placed_by.number),
            "lot": bid.lot,
            "asset": bid.asset,
            "amount": bid.amount,
            "status": bid.status,
            "label": bid.get_status_display(),
            "placed_at": bid.placed_at,
            "settled_at": bid.settled_at,
        }
        for bid in bids
    ]
    acts = host_acts(page.match, list(host_act_rows(page.match)[:_MOST_ACTS]))
    rounds = [] if bids.number > 1 or page.match.rules.recap_without else told_in_parts(page.match)
    latest_first = [part for part in reversed(rounds) if part[0] != BEGINNING and part[1]]
    changes = feed.who_played(page.match)
    own = receipts(page.player)[:_A_PAGE] if page.player else ()
    more = {"bids": lines, "listed": bids, "acts": acts, "rounds": latest_first, "changes": changes, "own": own}
    part = template_of(page.match.game, "history")
    return render(request, "matches/history.html", page.context("history", **more, history_template=part))


@require_safe
def news(request: HttpRequest, public_id: str) -> HttpResponse:
    """Everything that was told to everyone and to this player, latest first."""
    page = open_match_page(request, public_id)
    listed, place = leaf(request, lambda after: feed.feed_page(page.match, page.player, after, _A_PAGE))
    return render(request, "matches/news.html", page.context("history", lines=listed.items, **place))


@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Who won, everybody's results, the seed, and how to check it all."""
    page = open_match_page(request, public_id)
    view = page.position.public
    over = view is not None and view.has_result
    story, outcome = story_of(page.position), page.position.outcome
    context = page.context(
        "result",
        outcome=outcome,
        over=over,
        story=story,
        share=share_of(page.position, page.shown, story, page.address("result")) if over else None,
        alt=alt_of(page.match, headline_of(page.position, page.shown.people)),
        **_checks(page.match),
        changes=feed.who_played(page.match) if over else [],
        result_template=template_of(page.match.game, "result"),
    )
    return render(request, "matches/result.html", context)


def _checks(match: Match) -> dict[str, Any]:
    """What the snippet of Python that checks the draws is made of."""
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


@require_safe
def log(request: HttpRequest, public_id: str) -> HttpResponse:
    """A player's receipts; after the match also the log, chained by hashes, and the check of a receipt."""
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
        **(_checks(page.match) if cancelled else {}),
        cancelled=cancelled,
    )
    return render(request, "matches/log.html", context)


def _row(page: MatchPage, row: Submission, names: feed.NamesThen, now: NamesNow) -> dict[str, Any]:
    """A row of the log as everyone may read it after the match."""
    private = is_private(page.match, row, page.player)
    # Who voted would show whose vote was drawn, because the draws can be repeated from the seed.
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
        # The reason of the refusal would show what was sent.
        "code": "" if private else row.code,
        "hash": row.hash,
        # From the receipt's hash and salt a vote could be guessed: there are few possible ones.
        "receipt": "" if private else row.receipt_hash,
        "salt": "" if private else row.salt,
    }


# -- recaps ----------------------------------------------------------------------------------------------
# The recap of a match, to paste into a chat.


@require_safe
def recap(request: HttpRequest, public_id: str) -> HttpResponse:
    """A text for each round and for the result, with the picture of the board: what everybody may know, for everybody
    the same."""
    page = open_match_page(request, public_id)
    headline = headline_of(page.position, page.shown.people)
    context = page.context(
        "recap",
        chapters=recap_of(page.position, page.shown),
        picture=picture_path(page.match),
        alt=alt_of(page.match, headline),
    )
    return render(request, "matches/recap.html", context)
