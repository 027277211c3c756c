"""Who may read which talk: the only module that decides it, for pages, API, counts and live hints.
`talk.queries.match_home` and `season_home` decide who may write."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from django.db.models import Exists, F, OuterRef, Q
from msgspec import Struct

from matches.models import Match, Player
from matches.queries.matches import Position
from matches.services.roles import with_a_role
from seasons.models import Member as SeasonMember
from seasons.models import Season, SeasonRole, SeasonViewer
from seasons.services.bringing import place_of
from seasons.services.viewers import active
from talk.models import Channel, Member, Message, SeasonTalkChoices, TalkChoices, of_whoever_plays

OPEN_AFTER_THE_END = timedelta(days=7)
"""How long after the end of a match or season people can still write in it; they can always read."""

PUBLIC, TEAM, PRIVATE = Channel.Kind.PUBLIC, Channel.Kind.TEAM, Channel.Kind.PRIVATE
LOUNGE, QUESTIONS = Channel.Kind.LOUNGE, Channel.Kind.QUESTIONS
CONFESSIONAL, SPECTATORS = Channel.Kind.CONFESSIONAL, Channel.Kind.SPECTATORS


# -- what hosts chose --------------------------------------------------------------------------------


class Choices(Struct, frozen=True):
    """What the hosts of a match chose about talk."""

    public: bool
    spectators: bool
    team: bool
    private: bool
    speeches: bool
    hosts_read: bool
    rests: bool


class SeasonChoices(Struct, frozen=True):
    """What the hosts of a season chose about talk."""

    out: bool
    team: bool
    private: bool
    hosts_read: bool
    published: bool
    spectators: bool
    confessionals: Literal["none", "end", "at_once"]


Chosen = TypeVar("Chosen", Choices, SeasonChoices)

USUAL = Choices(*(getattr(TalkChoices(), name) for name in Choices.__struct_fields__))
USUAL_IN_SEASONS = SeasonChoices(*(getattr(SeasonTalkChoices(), name) for name in SeasonChoices.__struct_fields__))


def chosen_for(match: Match) -> Choices:
    """Return the choices of a match; cached once it has begun, as they are then fixed."""
    read = _fixed if match.has_begun else _read
    return read(TalkChoices, USUAL, match.pk, match.public_id)


def chosen_in(season: Season) -> SeasonChoices:
    """Return the choices of a season; cached once it has begun."""
    read = _fixed if season.is_public else _read
    return read(SeasonTalkChoices, USUAL_IN_SEASONS, season.pk, season.public_id)


def _read(model: type[Any], usual: Chosen, pk: int, public_id: str) -> Chosen:
    """`public_id` is only part of the cache key, as tests reuse ids of rows."""
    row = model.objects.filter(pk=pk).values_list(*usual.__struct_fields__).first()
    return usual if row is None else type(usual)(*row)


_fixed = lru_cache(maxsize=4096)(_read)


# -- reading in matches ------------------------------------------------------------------------------


def readable_by(user: Any) -> Q:
    """Return the filter for channels of matches that this person may read. The caller checks that they may see the
    match (`access_match`), unless they take part in it."""
    public = Q(kind=PUBLIC) & ~Q(match__talk_choices__public=False)
    if user.pk is None:
        return public
    playing = Player.objects.filter(match_id=OuterRef("match_id"), user_id=user.pk)
    membership = Member.objects.filter(of_whoever_plays(user.pk), channel_id=OuterRef("pk"))
    # Named hosts and observers only: an administrator who wants to read has to become one, which is logged.
    hosting = with_a_role(user, "match_id")
    shared = Q(match__talk_choices__hosts_read=True)
    return public | (~Q(kind=PUBLIC) & (Exists(membership) | (shared & hosting & ~Exists(playing))))


def watching_in(match: Match) -> list[SeasonViewer]:
    """Return the trusted viewers of a season match's players, without those who play in it themselves."""
    place = place_of(match)
    if place is None:
        return []
    playing = {player.user_id for player in match.players.all()}
    viewers = active(place.season)
    return [each for each in viewers if each.member.user_id in playing and each.user_id not in playing]


def readable_with(player: int) -> Q:
    """Return the filter for channels that a trusted viewer may read with this person's (user id's) rights."""
    belonging = Member.objects.filter(of_whoever_plays(player), channel_id=OuterRef("pk"))
    return ~Q(kind=PUBLIC) & Q(Exists(belonging))


# -- reading in seasons ------------------------------------------------------------------------------


class Part(NamedTuple):
    """A person's part in a season: `member`, their own place in the cast; `watches`, the member whose trusted viewer
    they are; `hosts`, whether they have the role of host or observer."""

    season: Season
    user_id: int | None
    member: SeasonMember | None = None
    watches: SeasonMember | None = None
    hosts: bool = False

    @property
    def eyes(self) -> list[SeasonMember]:
        """The members with whose rights they read."""
        return [each for each in (self.member, self.watches) if each is not None]

    @property
    def is_in(self) -> bool:
        """Whether they are a member who still plays."""
        return self.member is not None and self.member.status == SeasonMember.Status.IN and not self.season.is_over


def part_in(season: Season, user: Any) -> Part:
    """A person's part in one season."""
    if user.pk is None:
        return Part(season, None)
    return _parts(user, [season])[0]


def parts_of(user: Any) -> list[Part]:
    """Return a person's parts in the seasons that have begun and in which they are a member, host or observer."""
    known = Q(cast__user_id=user.pk) | Q(roles__user_id=user.pk, roles__role__in=SeasonRole.SEEING)
    seasons = Season.objects.filter(known).exclude(status=Season.Status.DRAFT).defer("state").order_by("pk").distinct()
    return _parts(user, list(seasons)) if user.pk is not None else []


def _parts(user: Any, seasons: list[Season]) -> list[Part]:
    if not seasons:
        return []
    members = {each.season_id: each for each in SeasonMember.objects.filter(season__in=seasons, user_id=user.pk)}
    held = SeasonRole.objects.filter(season__in=seasons, user_id=user.pk, role__in=SeasonRole.SEEING)
    hosted = set(held.values_list("season_id", flat=True)) - members.keys()
    watched = {each.season_id: each.member for each in active(*seasons).filter(user_id=user.pk)}
    return [
        part_of(Part(each, user.pk, members.get(each.pk), watched.get(each.pk), each.pk in hosted)) for each in seasons
    ]


def part_of(part: Part) -> Part:
    """Return the part without `watches` for members who still play and for hosts, who are nobody's trusted viewer."""
    return part._replace(watches=None) if part.is_in or part.hosts else part


def readable_in(part: Part, *, published: bool = True) -> Q:
    """Return the filter for channels of a season that somebody with this part may read; without `published`, leave out
    private rooms that became public at the end. The caller checks that they may see the season (`access_season`)."""
    season, chosen = part.season, chosen_in(part.season)
    if not season.is_public:
        return Q(pk__in=[])
    kinds: set[str] = set()
    if part.hosts:
        kinds |= {LOUNGE, QUESTIONS, CONFESSIONAL}
        kinds |= {TEAM, PRIVATE} if chosen.hosts_read else set()
    if any(chosen.out or each.status == SeasonMember.Status.IN for each in part.eyes):
        kinds.add(LOUNGE)
    if part.user_id is not None and not part.is_in and chosen.spectators:
        kinds.add(SPECTATORS)
    if season.is_over and chosen.published and published:
        kinds.add(PRIVATE)
    found = Q(kind__in=sorted(kinds))
    if part.eyes:
        # Only of the person who began it, not of whoever has the place now.
        theirs = Member.objects.filter(member__in=part.eyes, user_id=F("member__user_id"))
        found |= Q(kind__in=[PRIVATE, QUESTIONS], pk__in=theirs.values("channel_id"))
        found |= Q(kind=CONFESSIONAL, pk__in=theirs.filter(member=part.member).values("channel_id"))
    teams = {each.team for each in part.eyes if each.team and each.status == SeasonMember.Status.IN}
    if chosen.team and teams:
        found |= Q(kind=TEAM, team__in=sorted(teams))
    return Q(season=season) & found


def told_in(part: Part) -> Q:
    """Like `readable_in`, only channels whose unread messages somebody is told of: no published rooms, none of a member
    whom they only watch, and a spectators' lounge only for hosts and those who wrote or were mentioned there."""
    found = readable_in(part._replace(watches=None), published=False)
    return found if part.hosts else found & (~Q(kind=SPECTATORS) | named_or_wrote(part.user_id))


def named_or_wrote(user_id: int | None) -> Q:
    """Return the filter for spectators' lounges in which somebody has written or was mentioned."""
    mine = Message.objects.filter(Q(author_id=user_id) | Q(mentions__user_id=user_id), channel__kind=SPECTATORS)
    return Q(kind=SPECTATORS, pk__in=mine.values("channel_id"))


def released_in(part: Part) -> Q:
    """Return the filter for released messages of confessionals: for everybody once the season has ended, and before, if
    hosts chose that, for the author's trusted viewer."""
    released = Q(season=part.season, channel__kind=CONFESSIONAL, published=True, hidden_at=None)
    if part.season.is_over:
        return released
    if part.watches is not None and chosen_in(part.season).confessionals == "at_once":
        return released & Q(member=part.watches, author_id=F("member__user_id"))
    return Q(pk__in=[])


def may_read(user: Any, channel: Channel) -> bool:
    """Whether somebody may read a channel."""
    rule = readable_by(user) if channel.season is None else readable_in(part_in(channel.season, user))
    return Channel.objects.filter(rule, pk=channel.pk).exists()


# -- whom hints go to --------------------------------------------------------------------------------


def reader_ids(channel: Channel) -> frozenset[int]:
    """Return the ids of users who may read a channel that not everybody may read. Follows `readable_by` and
    `readable_in`, but of a spectators' lounge gives only authors and hosts."""
    if channel.season is not None:
        return frozenset(pk for pk in _readers_in(channel, channel.season) if pk is not None)
    if channel.match is None:
        return frozenset()
    members = {each.player: each.user_id for each in channel.members.select_related("player")}
    ids = {player.user_id for player, user_id in members.items() if player and user_id in (None, player.user_id)}
    ids.update([each.user_id for each in watching_in(channel.match) if each.member.user_id in ids])
    if chosen_for(channel.match).hosts_read:
        playing = channel.match.players.filter(user__isnull=False).values_list("user_id")
        ids.update(channel.match.roles.exclude(user__in=playing).values_list("user_id", flat=True))
    return frozenset(pk for pk in ids if pk is not None)


def _readers_in(channel: Channel, season: Season) -> Iterable[int | None]:
    chosen, cast = chosen_in(season), list(season.cast.exclude(user=None))
    known = {each.user_id for each in cast}
    playing = [each for each in cast if each.status == SeasonMember.Status.IN]
    hosts = set(season.roles.filter(role__in=SeasonRole.SEEING).values_list("user_id", flat=True)) - known
    viewers = defaultdict[int | None, set[int]](set)
    for each in active(season):
        viewers[each.member.user_id].add(each.user_id)
    if channel.kind == LOUNGE:
        return _with(viewers, {each.user_id for each in (cast if chosen.out else playing)}) | hosts
    if channel.kind == SPECTATORS:
        authors = Message.objects.filter(channel=channel).order_by().values_list("author_id", flat=True).distinct()
        return ({*authors} - ({each.user_id for each in playing} if not season.is_over else set())) | hosts
    if channel.kind == TEAM:
        ids = {each.user_id for each in playing if each.team == channel.team and chosen.team}
    else:
        own = channel.members.filter(user_id=F("member__user_id"))
        ids = set(own.values_list("user_id", flat=True))
    ids = ids if channel.kind == CONFESSIONAL else _with(viewers, ids)
    return ids | hosts if chosen.hosts_read or channel.kind in (QUESTIONS, CONFESSIONAL) else ids


def _with(viewers: Mapping[int | None, set[int]], ids: set[int | None]) -> set[int | None]:
    return ids.union(*(viewers[each] for each in ids if each in viewers))


def viewers_in_words(viewers: Iterable[SeasonViewer]) -> list[str]:
    """Return the names of trusted viewers for a sentence."""
    return [f"{each.member.shown_name}’s trusted viewer {each.user.username}" for each in viewers]


# -- people ------------------------------------------------------------------------------------------


def teams_of(match: Match) -> dict[str, str]:
    """Return handle -> team of those who are in one, including teams that the rules dealt at the beginning."""
    teams = {player.handle: player.team for player in match.players.all()}
    if match.rules.teams and match.has_begun and not all(teams.values()):
        view = Position(match).public
        dealt = {line.handle: line.team for line in (view.players if view is not None else ()) if line.team}
        teams = {handle: team or dealt.get(handle, "") for handle, team in teams.items()}
    return {handle: team for handle, team in teams.items() if team}


def hosts_who_read(match: Match) -> list[str]:
    """Return the sorted usernames of the match's hosts and observers, who can read what is private."""
    return sorted(match.roles.values_list("user__username", flat=True))
