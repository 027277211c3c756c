"""Views of what happened in a match: history, news, result and recap."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.pages.context import headline_of
from matches.pages.fragments import template_of
from matches.pages.sharing import BEGINNING, alt_of, picture_path, recap_of, share_of, told_in_parts
from matches.queries import feed
from matches.queries import matches as match_queries
from matches.queries.host_acts import host_act_rows, host_acts
from matches.queries.log import receipts
from matches.queries.story import story_of
from matches.web.match_page import leaf, open_match_page
from matches.web.views.verifying import checks_of_draws

_A_PAGE = 100
_MOST_ACTS = 200


@require_safe
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show each round (unless single bids are the news), what hosts did, and every public bid; latest first."""
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
    """List everything that was told to everyone and to this player, latest first."""
    page = open_match_page(request, public_id)
    listed, place = leaf(request, lambda after: feed.feed_page(page.match, page.player, after, _A_PAGE))
    return render(request, "matches/news.html", page.context("history", lines=listed.items, **place))


@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show who won, everybody's results, the seed, and how to check it all."""
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
        **checks_of_draws(page.match),
        changes=feed.who_played(page.match) if over else [],
        result_template=template_of(page.match.game, "result"),
    )
    return render(request, "matches/result.html", context)


@require_safe
def recap(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a public text to share for each round and for the result, with the picture of the board."""
    page = open_match_page(request, public_id)
    headline = headline_of(page.position, page.shown.people)
    context = page.context(
        "recap",
        chapters=recap_of(page.position, page.shown),
        picture=picture_path(page.match),
        alt=alt_of(page.match, headline),
    )
    return render(request, "matches/recap.html", context)
