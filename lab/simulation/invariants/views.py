"""Views: their numbers move with them, and every page shows in the end what a fresh reading gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from lab.simulation.failures import need
from matches.games.registry import game_of
from matches.live import snapshots
from matches.live.snapshots import Key

if TYPE_CHECKING:
    from lab.simulation.viewers import Viewer
    from lab.simulation.world import World


def check_versions(world: World) -> None:
    """A view that is not what it was has a new number; numbers never go back."""
    for stage in world.cast.matches:
        ((text, version),) = world.seats.ask(
            "SELECT state, public_version FROM matches_match WHERE id = ?", stage.number
        )
        if not text:
            continue
        game = game_of(stage.game)
        state = game.decode_state(text)
        _note(world, ("public", stage.number), version, msgspec.json.encode(game.public_view(state)))
        rows = world.seats.ask("SELECT id, handle, version FROM matches_player WHERE match_id = ?", stage.number)
        for player, handle, own in rows:
            _note(world, ("private", player), own, msgspec.json.encode(game.private_view(state, handle)))


def _note(world: World, whose: tuple[str, int], version: int, view: bytes) -> None:
    known = world.seen.get(whose)
    if known is not None:
        need(version >= known[0], "versions never go back", (whose, known[0], version))
        need(version > known[0] or view == known[1], "a changed view has a new version", (whose, version))
    world.seen[whose] = (version, view)


def check_viewers(world: World) -> None:
    """What each open page shows."""
    for viewer in world.viewers.live:
        need(viewer.is_open and "version" in viewer.shown, "every page gets its board", viewer.number)
        fresh = _fresh(world, viewer)
        shown = {name: value for name, value in viewer.shown.items() if name != "now"}
        differing = [name for name in sorted({*fresh, *shown}) if fresh.get(name) != shown.get(name)]
        need(
            not differing,
            "every page shows what is stored",
            (viewer.number, differing, [(fresh.get(n), shown.get(n)) for n in differing]),
        )


def _fresh(world: World, viewer: Viewer) -> dict[str, Any]:
    keys = [Key("json")]
    if viewer.player is not None and viewer.person is not None:
        keys.append(Key("json", viewer.player, viewer.person.user))
    with world.inside(world.worker):
        look = snapshots.match_snapshots(viewer.stage.number, keys)
        need(look is not None, "the match is there", viewer.stage.number)
        fields: dict[str, Any] = {}
        for key in keys if look is not None else ():
            fields |= look.snapshots[key].fields() if look is not None else {}
        return dict(json.loads(msgspec.json.encode(fields)))
