"""A season by its episodes: each match with what followed from it, and how people went out, as everybody was told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from seasons.models import Season, SeasonNews
from seasons.queries.standing import NewsLine, lines_of


@dataclass
class Episode:
    """A match that is no Death Match, and all news from its beginning to that of the next. `id`: the match's.
    `settled`: what was told of its end."""

    number: str
    title: str
    id: str
    lines: list[NewsLine] = field(default_factory=list)
    settled: Mapping[str, Any] | None = None
    left: list[str] = field(default_factory=list)


class Exit(NamedTuple):
    """How somebody went out: after which episode, against whom (none: without a Death Match), and why."""

    episode: Episode | None
    against: tuple[str, ...]
    reason: str


def episodes_of(season: Season, names: Mapping[str, str]) -> tuple[list[Episode], dict[str, Exit]]:
    """The episodes, the first first, and who is out by them."""
    told = SeasonNews.objects.filter(season=season, audience="everyone").select_related("row__user").order_by("pk")
    news = list(told)
    listed = season.matches.values_list("number", "match__title", "match__public_id")
    matches = {str(number): (title, public_id) for number, title, public_id in listed}
    found: dict[str, Episode] = {}
    exits: dict[str, Exit] = {}
    lost: dict[str, tuple[str, ...]] = {}
    last: Episode | None = None  # the match from which follows what happens now
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
        elif each.kind == "death_match_lost":
            lost[data["loser"]] = tuple(data["winners"])
        elif each.kind == "went_out":
            exits[data["player"]] = Exit(last, lost.pop(data["player"], ()), data.get("reason") or "")
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
    """An episode as messages for a chat, which shows the times in each reader's zone. `plain` keeps names from being
    read as markup; `link`: of its match."""
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
