"""The news of a season in words: its feed, its story, and its episodes."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct

from accounts.models import FormerName
from matches.models import Insider
from matches.queries.feed import cut_at_names, marked
from matches.queries.match_info import Instant
from matches.queries.names import set_apart, still_borne
from seasons.engine.sentences import Name, in_words
from seasons.models import Season, SeasonNews, SeasonRow
from seasons.queries.access import Viewer
from seasons.services.running import ANNOUNCED


class News(Struct, frozen=True):
    """A piece of news; `match` is the id of the match that it is about."""

    at: Instant
    kind: str
    text: str
    match: str | None


class NewsLine(News, frozen=True):
    """A piece of news for pages. `pieces`: the text in pieces, of which every second is a member's handle, to be
    replaced by a name. `then`: handle -> name, for those whose places others have taken since."""

    pieces: tuple[str, ...]
    then: Mapping[str, str]


def news_for(viewer: Viewer, names: Mapping[str, str], most: int, start: int = 0) -> list[NewsLine]:
    """Return the news for this viewer, the latest first, skipping `start` of them."""
    found = SeasonNews.objects.filter(season=viewer.season, audience__in=viewer.audiences())
    if viewer.watches:  # whom else to let watch is the member's business
        found = found.exclude(kind="viewer_named")
    found = found.select_related("row__user").order_by("-pk")
    return lines_of(viewer.season, found[start : start + most], names)


def latest_announcement(season: Season, names: Mapping[str, str]) -> NewsLine | None:
    """Return the hosts' last announcement, or None."""
    told = SeasonNews.objects.filter(season=season, kind=ANNOUNCED).select_related("row__user").order_by("-pk")[:1]
    return next(iter(lines_of(season, told, names)), None)


def all_news(season: Season, names: Mapping[str, str]) -> list[NewsLine]:
    """Return all public news, from the beginning on."""
    told = SeasonNews.objects.filter(season=season, audience="everyone").select_related("row__user")
    return lines_of(season, told.order_by("pk"), names)


def lines_of(season: Season, found: Iterable[SeasonNews], names: Mapping[str, str]) -> list[NewsLine]:
    """Return these pieces of news in words, one line each."""
    matches = {
        number: (title, public_id)
        for number, title, public_id in season.matches.values_list("number", "match__title", "match__public_id")
    }
    titles = {number: title for number, (title, _) in matches.items()}
    found = list(found)
    # A change of person before all of this makes no difference.
    first = min((each.row.number for each in found), default=0)
    is_changed = bool(found) and season.log.filter(kind=SeasonRow.Kind.PERSON, number__gte=first).exists()
    lines, then = [], _names_then(season) if is_changed else lambda number: {}
    for each in found:
        key = each.data.get("match")
        public_id = matches[int(key)][1] if key and int(key) in matches else None
        pieces = cut_at_names(_sentence(each, marked, titles))
        # The news of the change itself names the person who left.
        left = then(each.row.number - (each.kind == "person_changed"))
        before = {handle: name for handle, name in left.items() if names.get(handle) != name}
        named = {**names, **before}
        text = "".join(set_apart(named.get(piece, piece)) if place % 2 else piece for place, piece in enumerate(pieces))
        lines.append(NewsLine(each.at, each.kind, text, public_id, pieces, before))
    return lines


def _names_then(season: Season) -> Callable[[int], dict[str, str]]:
    """A function of a log row's number: handle -> the name at that row, for those who have left their place since."""
    rows = list(season.log.filter(kind=SeasonRow.Kind.PERSON).order_by("number").values_list("number", "payload"))
    begun = json.loads(season.log.filter(kind=SeasonRow.Kind.BEGIN).values_list("payload", flat=True)[0])
    name = {handle: who.get("name") or handle for handle, who in begun.get("people", {}).items()}
    left: list[tuple[int, str, str]] = []
    for number, payload in rows:
        who = json.loads(payload)
        handle = who["player"]
        left.append((number, handle, name.get(handle, handle)))
        name[handle] = who.get("name") or handle
    names = {shown for *_, shown in left}
    played = Insider.objects.filter(match__in=season.matches.values("match"))
    kept = still_borne(names, season.log.all(), season.roles.all(), played)
    now = {name: former.shown for name, former in FormerName.now(names - kept)}

    def then(number: int) -> dict[str, str]:
        before = ((handle, shown) for changed_at, handle, shown in reversed(left) if changed_at > number)
        return {handle: now.get(shown) or shown for handle, shown in before}

    return then


def _sentence(news: SeasonNews, name: Name, titles: Mapping[int, str]) -> str:
    data = {"host": news.row.user.username, **news.data} if news.row.user else news.data
    return in_words(news.kind, data, name, lambda key: titles.get(int(key), f"match {key}"))


# -- episodes: each match with what followed from it, and how people went out, from the public news ----------


@dataclass
class Episode:
    """A match other than a Death Match, with all news until the next one begins. `id`: the match's. `settled`: the data
    of the news of its settlement."""

    number: str
    title: str
    id: str
    lines: list[NewsLine] = field(default_factory=list)
    settled: Mapping[str, Any] | None = None
    left: list[str] = field(default_factory=list)


class Exit(NamedTuple):
    """How somebody went out: after which episode, against whom (empty without a Death Match or final), and why."""

    episode: Episode | None
    against: tuple[str, ...]
    reason: str
    final: bool = False


def episodes_of(season: Season, names: Mapping[str, str]) -> tuple[list[Episode], dict[str, Exit]]:
    """Return the episodes, first to last, and how each member who is out went out."""
    told = SeasonNews.objects.filter(season=season, audience="everyone").select_related("row__user").order_by("pk")
    news = list(told)
    listed = season.matches.values_list("number", "match__title", "match__public_id")
    matches = {str(number): (title, public_id) for number, title, public_id in listed}
    found: dict[str, Episode] = {}
    exits: dict[str, Exit] = {}
    last: Episode | None = None  # the match that present events follow from
    for each, line in zip(news, lines_of(season, news, names), strict=True):
        data, key = each.data, str(each.data.get("match") or "")
        if each.kind == "match_began" and not data["death_match"]:
            last = found[key] = Episode(key, *matches[key])
        episode = found.get(key, last)
        if episode is not None and each.kind != "growth_switched":
            episode.lines.append(line)
        if each.kind == "match_settled" and key in found:
            last = found[key]
            last.settled = data
        elif each.kind == "went_out":
            exits[data["player"]] = Exit(last, tuple(data["against"]), data["reason"], data.get("final", False))
            if last is not None:
                last.left.append(data["player"])
        elif each.kind == "booking_taken_back":
            for handle in data["between"]:
                gone = exits.pop(handle, None)
                if gone is not None and gone.episode is not None:
                    gone.episode.left.remove(handle)
    return list(found.values()), exits


_MOST_OF_A_MESSAGE = 2000
_NOT_IN_A_RECAP = frozenset({"host_announced"})


def recap_of(season: Season, episode: Episode, link: str, plain: Callable[[str], str]) -> tuple[str, ...]:
    """Return an episode as messages for a chat, with times that the chat shows in each reader's zone. `plain` escapes
    markup in texts; `link`: of its match."""
    title = episode.title if episode.title.startswith(season.title) else f"{season.title} · {episode.title}"
    pieces, piece = [], f"**{plain(title)}**"
    for each in episode.lines:
        if each.kind in _NOT_IN_A_RECAP:
            continue
        line = f"\n<t:{int(each.at.timestamp())}:f> {plain(each.text)}"
        if len(piece) + len(line) + len(link) + 3 > _MOST_OF_A_MESSAGE:
            pieces.append(piece)
            piece = ""
        piece += line if piece else line.strip()
    return (*pieces, f"{piece}\n<{link}>")
