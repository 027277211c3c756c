"""The replay of a finished match for programs: every moment as data that says what differs from the one before."""

from collections.abc import Iterator
from typing import Any, Literal

from django.http import HttpRequest
from msgspec import UNSET, Struct, field

from matches.api import codes
from matches.api.actions import count_request
from matches.api.codes import About
from matches.api.replies import ApiError, Reply, for_asker
from matches.api.requests import Parameter, endpoint, one_of
from matches.api.views import viewer_of_match
from matches.engine.match_time import seconds
from matches.engine.views import MatchTime, Outcome
from matches.pages.replays import Replay
from matches.queries.match_info import Instant, MatchInfo, info_of
from matches.queries.matches import to_json
from matches.queries.replays import Moment, NoReplay


class PatchStep(Struct):
    """An operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "replace", "remove"]
    path: str
    value: Any = UNSET


class Frame(Struct):
    """A moment: what players were told, and how the document differs from the one before."""

    row: int
    at: Instant
    time: MatchTime
    told: list[str]
    patch: list[PatchStep]


class ReplayView(Struct):
    """A finished match. Begin with `{"public": null, "private": null, "sealed": {}}` and apply the patches in order."""

    match: MatchInfo
    as_: str | None = field(name="as")
    sealed: Literal["at-once", "opened"]
    outcome: Outcome | None
    frames: list[Frame]


_PARAMETERS = {"as": Parameter("", "a player's handle", str), "sealed": one_of("at-once", "opened")}


@endpoint(
    GET=About(
        "A finished match, moment by moment",
        ReplayView,
        codes=codes.together(codes.OF_A_MATCH, codes.COUNTED, codes.NOT_FINISHED, codes.NO_VIEW),
    ),
    **_PARAMETERS,
)
def replay(request: HttpRequest, public_id: str, **chosen: str) -> Reply:
    """The whole replay, as everybody saw the match or as the player `as` saw it."""
    viewer = viewer_of_match(request, public_id)
    count_request(request, viewer.user.pk)
    handle, at_once = chosen["as"], chosen["sealed"] != "opened"
    try:
        found = Replay(viewer, handle, at_once=at_once)
    except NoReplay as why:
        raise ApiError(409, "match_not_finished", str(why)) from None
    except LookupError:
        raise ApiError(404, "no_such_view", "You cannot see this match as that player saw it.") from None
    return for_asker(
        ReplayView(
            match=info_of(viewer.match),
            as_=handle or None,
            sealed="at-once" if at_once else "opened",
            outcome=found.moments[-1].scene.outcome,
            frames=list(_frames(found)),
        )
    )


def _frames(found: Replay) -> Iterator[Frame]:
    before: dict[str, Any] = {"public": None, "private": None, "sealed": {}}
    for moment in found.moments:
        after, told = _document(found, moment), list(found.sentences(moment))
        yield Frame(moment.row, moment.at, seconds(moment.time), told, list(patch(before, after)))
        before = after


def _document(found: Replay, moment: Moment) -> dict[str, Any]:
    return {
        "public": to_json(moment.scene.public),
        "private": to_json(moment.scene.private_of(found.player)),
        "sealed": dict(moment.sealed),
    }


def patch(before: Any, after: Any, path: str = "") -> Iterator[PatchStep]:
    """Yield the operations of a JSON Patch that turn `before` into `after`. Both are plain JSON values."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list) and len(before) <= len(after):
        for place, (was, value) in enumerate(zip(before, after, strict=False)):
            yield from patch(was, value, f"{path}/{place}")
        yield from (PatchStep("add", f"{path}/-", value) for value in after[len(before) :])
    elif before != after or type(before) is not type(after):
        yield PatchStep("replace", path, after)


def _of_objects(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[PatchStep]:
    for key in {**before, **after}:
        place = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if key not in after:
            yield PatchStep("remove", place)
        elif key not in before:
            yield PatchStep("add", place, after[key])
        else:
            yield from patch(before[key], after[key], place)
