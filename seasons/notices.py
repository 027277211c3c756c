"""Turns news of seasons into notices for the people concerned, and public news into posts to the season's webhooks.

News is stored in the transaction of its event and marked as waiting, so nothing is lost if the process dies. The source
of a notice keeps it from being sent twice.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.urls import reverse

from matches.engine import notice_events as of_matches
from matches.engine.strict_json import canonical
from matches.live.messages import Hint
from matches.live.publisher import publisher
from matches.queries.names import set_apart
from matches.services.places import own_name
from notices import events, outbox
from notices.handover import give
from notices.models import Notice
from notices.outbox import store
from notices.reading import retire_of_sources, tell_pages
from seasons.engine.season import NAMED
from seasons.engine.state import OPPONENT
from seasons.models import Application, Member, Season, SeasonInvitation, SeasonNews, SeasonRole
from seasons.queries.news import lines_of
from seasons.services.viewers import active
from seasons.webhooks import after_its_matches, queue_news

logger = structlog.get_logger(__name__)

_AT_ONCE = 100

ASKS = frozenset({"name_opponent", "viewer_named"})
ASKS_HOSTS = frozenset({"confirm_asked", "name_opponent_asked", "result_asked"})

_OF_MEMBERS = (events.SEASON_ASKS, events.SEASON_NEWS)

# Not told by the season: a match tells its players that it began, and a gift its receiver.
ROUTINE = frozenset({"match_began", "growth_switched", "gift_given"})


class _Draft(NamedTuple):
    """A piece of news in words, with its notices."""

    news: SeasonNews
    text: str
    notices: list[Notice]


def tell() -> int:
    """Process the waiting news, oldest first; return how many pieces. Processes can do this at the same time: each
    takes different rows."""
    passed = 0
    while True:
        with transaction.atomic():
            waiting = SeasonNews.objects.select_for_update(of=("self",), skip_locked=True).filter(passed_on=False)
            found = list(after_its_matches(waiting).select_related("season").order_by("pk")[:_AT_ONCE])
            # With the lock, somebody who is being replaced gets no notice, or `hand_on` takes it from them afterwards.
            list(Season.objects.select_for_update().filter(pk__in={news.season_id for news in found}).order_by("pk"))
            drafts = [draft for news in found if (draft := _drafted(news)) is not None]
            store([notice for draft in drafts for notice in draft.notices])
            _retire(found)
            queue_news([(draft.news, draft.text) for draft in drafts])
            SeasonNews.objects.filter(pk__in=[news.pk for news in found]).update(passed_on=True)
        passed += len(found)
        if len(found) < _AT_ONCE:
            return passed


_SETTLES = {
    "viewer_accepted": ("viewer_named",),
    "viewer_declined": ("viewer_named",),
    "viewer_withdrawn": ("viewer_named",),
    "match_settled": ("confirm_asked",),
    "match_void": ("confirm_asked",),
    "death_match": ("name_opponent", "name_opponent_asked"),
    "death_match_lost": ("result_asked",),
}
"""Kind of news -> the earlier requests to members or hosts that it settles."""


def _retire(found: Iterable[SeasonNews]) -> None:
    """Mark notices as read that this news makes obsolete; the end of a season does so for all of its earlier ones."""
    for news in found:
        before = SeasonNews.objects.filter(season=news.season_id, pk__lt=news.pk)
        if news.kind in _SETTLES:
            before = before.filter(kind__in=_SETTLES[news.kind])
        elif news.kind != "season_ended":
            continue
        if news.kind.startswith("match_"):
            before = before.filter(data__match=news.data["match"])
        if news.kind.startswith("viewer_"):  # that viewer's, which only the log names
            before = before.filter(row__payload=canonical({**json.loads(news.row.payload), "did": NAMED}))
        retire_of_sources([f"season:{news.season_id}:{pk}" for pk in before.values_list("pk", flat=True)])


def _drafted(news: SeasonNews) -> _Draft | None:
    """Draft a piece of news; None if that fails, as for a damaged season, so that it does not hold up others."""
    try:
        text = _text(news)
        return _Draft(news, text, list(_notices(news, text)))
    except DatabaseError:
        raise
    except Exception:
        logger.exception("season_news_not_drafted", season=news.season_id, news=news.pk)
        return None


def hand_on(*, member: Member, left: Any, **_: Any) -> None:
    """Receive `member_changed_hands`: give the unread notices to whoever has the place now, and delete those of the
    person who left, with a notice that says so."""
    season = member.season
    theirs = Notice.objects.filter(user=left, source__startswith=f"season:{season.pk}:", event__in=_OF_MEMBERS)
    if member.user_id is not None:
        give(list(theirs.filter(read_at=None)), member.user_id)
        tell_pages({member.user_id})
    theirs.delete()
    who = set_apart(own_name(member.user)) if member.user else "a bot" if member.is_bot else "nobody"
    source = f"season-place:{member.pk}:{season.log_count}"
    text = f"From now on {who} plays in your place in this season. You can watch like everybody else."
    store([Notice.of(events.REPLACED, season, user=left, source=source, text=text)])


def on_invited(*, invitation: SeasonInvitation, code: str, **_: Any) -> None:
    """Receive `matches.services.signals.invited`. An invitation sent again is a second notice, even if the first is
    unread: a host wants the person to hear of it again."""
    outbox.tell_of_invitation(
        invitation,
        invitation.season,
        title=f"You are invited to a season · {invitation.season.title}",
        url=reverse("season_invitations:invitation", args=[code]),
    )


def on_applied(*, application: Application, text: str, to_hosts: bool = False, is_gone: bool = False, **_: Any) -> None:
    """Receive `seasons.services.writer.applied`: notify the applicant, or the hosts."""
    season = application.season
    people = _hosts(season) if to_hosts else [application.user_id]
    event = of_matches.LEFT if to_hosts else events.APPLICATION
    source = f"application:{application.pk}:{application.status}:{application.changed_at.timestamp():.6f}"
    url = reverse("seasons:seasons") if is_gone else reverse("seasons:apply", args=[season.public_id])
    fields = {"source": f"{source}:gone" if is_gone else source, "text": text, "url": url}
    store([Notice.of(event, season, user_id=user_id, **fields) for user_id in people])


def _text(news: SeasonNews) -> str:
    season = news.season
    names = {handle: name or handle for handle, name in season.cast.values_list("handle", "name")}
    return lines_of(season, [news], names)[0].text


def _notices(news: SeasonNews, text: str) -> Iterable[Notice]:
    if news.kind in ROUTINE:
        return
    season = news.season
    by = _closes(season) if news.kind == "name_opponent" or news.kind == "name_opponent_asked" else None
    fields = {"source": f"season:{season.pk}:{news.pk}", "text": text, "by": by, "at": news.at}
    watching: set[int] = set()
    if news.kind == "viewer_accepted":
        watching = set(_users(active(season).filter(member__handle=news.data["player"])))
    for user_id in dict.fromkeys(_receivers(news)):  # a member may have applied too, or watch
        own = {"text": _NOW_WATCHING} if user_id in watching else {}
        yield Notice.of(_event_of(news), season, user_id=user_id, **{**fields, **own})


_NOW_WATCHING = "You are a trusted viewer now. The season's page links to what you can see."


def _event_of(news: SeasonNews) -> str:
    if news.kind in ASKS:
        return events.SEASON_ASKS
    return events.SEASON_ASKS_HOST if news.kind in ASKS_HOSTS else events.SEASON_NEWS


def _receivers(news: SeasonNews) -> list[int]:
    """The ids of users to notify: members (and others concerned), one member, or the hosts."""
    if news.audience == "hosts":
        return _hosts(news.season)
    members = Member.objects.filter(season=news.season, user__isnull=False)
    if news.kind == "account_corrected":
        members = members.exclude(handle=news.data["player"])  # who is told separately, with the amount
    if news.audience.startswith("player:"):
        members = members.filter(handle=news.audience.removeprefix("player:"))
    if news.kind == "season_began":  # applicants wait to hear of it
        waiting = news.season.applications.filter(status__in=(Application.Status.WAITING, Application.Status.ALTERNATE))
        return [*_users(members), *_users(waiting)]
    if news.kind == "viewer_accepted":  # the trusted viewer is not a member
        return [*_users(members), *_users(active(news.season).filter(member__handle=news.data["player"]))]
    return _users(members)


def _users(rows: QuerySet[Any]) -> list[int]:
    return list(rows.filter(user__isnull=False).values_list("user_id", flat=True))


def _hosts(season: Season) -> list[int]:
    return list(season.roles.filter(role__in=SeasonRole.ACTING).values_list("user_id", flat=True))


def _closes(season: Season) -> datetime | None:
    """When the time to name an opponent ends, if one is still to be named."""
    state = season.decoded()
    if state is None or state.phase != OPPONENT or state.after is None or state.after.closes is None:
        return None
    return season.instant(state.after.closes)


# -- hints to hosts' open pages that something has changed, which they then ask for --------------------------


def on_change(*, season_id: int, **_: Any) -> None:
    """Receive `season_changed`."""
    # somebody may have just done what hosts were asked for
    _retire(SeasonNews.objects.filter(season=season_id, passed_on=False))
    people = SeasonRole.objects.filter(season=season_id, role__in=SeasonRole.SEEING).values_list("user_id", flat=True)
    publisher.hint(Hint("desk", 0, (), frozenset(people)))
