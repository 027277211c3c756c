"""The replay of a finished match: made from its log, it ends where the match ended, and tells no more than the log."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from matches.engine.draw import Draw
from matches.engine.game import AnyGame
from matches.engine.settings import Roster
from matches.engine.simulation import bot_match, filled
from matches.games.registry import all_games
from matches.models import Match, Player, clock
from matches.pages.context import MatchContext
from matches.pages.rendering import panel_of, position_of, table_parts
from matches.pages.replays import ROLL, Replay, to_look_at
from matches.queries.access import viewer_of
from matches.queries.replays import NoReplay, events_of, moments_for, viewpoints
from matches.services.actions import submit_for
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.hosting import act_as_host, cancel, publish
from matches.services.joining import add_player
from tests.conformance.subjects import seals
from tests.fixtures.present import START
from tests.web.conftest import Table, browser

SEED = bytes(range(32))
Moves = list[tuple[timedelta, str, Any]]

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=slug) for slug, game in all_games().items()])


def roster_of(game: AnyGame) -> Roster:
    return filled((), max(game.sizes.least, min(game.sizes.usual[0], 6)), game.teams)


def bots_moves(game: AnyGame, most: int = 15) -> Moves:
    """What bots did in a match of theirs."""
    found: Moves = []
    for event in bot_match(game, game.read_config({}), roster_of(game), SEED):
        if event.player:
            found.append((event.at, event.player, event.action))
    return found[:: max(1, len(found) // most)]


def played(game: AnyGame, present: clock.FixedTime, moves: Moves) -> Match:
    """A match with these moves at the site, to its end; what the rules refuse stands in its log too."""
    present.instant = START
    host = User.objects.create_user(f"host{User.objects.count()}", None, None)
    match = create_match(game.slug, "A match of bots", hosts=(host,), seed=SEED.hex())
    for entrant in roster_of(game):
        user = User.objects.create_user(f"{entrant.handle}x{match.pk}", None, None, mark=0)  # the same in twins
        add_player(match, entrant.handle, user=user, team=entrant.team or "")
    publish(match, host)
    for at, handle, action in moves:
        pass_time(match, host, present, START + at)
        present.instant = START + at
        submit_for(Player.objects.get(match=match, handle=handle), action)
    pass_time(match, host, present)
    assert match.status == Match.Status.FINISHED
    return match


def pass_time(match: Match, host: User, present: clock.FixedTime, until: datetime | None = None) -> None:
    """Every deadline until then, or to the end; where the match waits for its hosts, somebody stands in."""
    advance(match.pk)
    match.refresh_from_db()
    while match.status == Match.Status.OPEN:
        state = match.rules.decode_state(match.state)
        if action := match.rules.host_play(state, Draw(SEED)):
            act_as_host(match, host, action)
        elif match.next_deadline_at is None or (until and match.next_deadline_at > until):
            return
        else:
            present.instant = max(match.next_deadline_at, present.instant)
            advance(match.pk)
        match.refresh_from_db()


def seen_by(match: Match, handle: str = "") -> Any:
    """A match as somebody sees it: without a handle a visitor, else that player."""
    user = Player.objects.get(match=match, handle=handle).user if handle else AnonymousUser()
    return viewer_of(Match.objects.get(pk=match.pk), user)


@every_game
def test_the_last_frame_is_the_stored_board_and_each_follows_from_the_one_before(
    db: None, game: AnyGame, present: clock.FixedTime
) -> None:
    match = played(game, present, bots_moves(game))
    for handle in ("", roster_of(game)[0].handle):
        viewer = seen_by(match, handle)
        replay = Replay(viewer, handle)
        now = replay.moments[-1].at
        with clock.fixed(now):
            position = position_of(viewer.match)
            shown = MatchContext(position, now)
            stored = table_parts(position, shown)
            if handle:
                stored["panel"] = panel_of(position, shown, viewer.player)
        last = replay.parts(len(replay.moments) - 1)
        assert {name: last[name] for name in stored} == {name: to_look_at(text) for name, text in stored.items()}
        assert unrolled(replay) == [replay.parts(index) for index in range(len(replay.moments))]
    others_see_no_votes(match)


def others_see_no_votes(match: Match) -> None:
    secret, seen = match.rules.secret_for_ever, seen_by(match)
    for handle in ("", *viewpoints(seen)):
        player = seen.match.players.get(handle=handle) if handle else None
        for moment in moments_for(seen, handle):
            assert moment.act is None or moment.act[1].get("type") not in secret
            assert not any(item.kind == "vote_drawn" for item in moment.told_alone)
            view = moment.scene.private_of(player)
            assert {each.kind for each in (*view.asked, *view.decided)} & secret == set() if view else player is None


def test_others_see_no_votes_that_were_drawn(db: None, present: clock.FixedTime) -> None:
    drawn = 0
    for game in (each for each in all_games().values() if each.secret_for_ever):
        unvoted = [move for move in bots_moves(game) if move[2]["type"] not in game.secret_for_ever]
        match = played(game, present, unvoted)
        told = [item.kind for event in events_of(match) for item in event.told_alone]
        drawn += told.count("vote_drawn")
        others_see_no_votes(match)
    assert drawn > 1


def unrolled(replay: Replay) -> list[dict[str, str]]:
    """Every frame as a browser puts it together."""
    found = []
    for number in range(-(-len(replay.moments) // ROLL)):
        shown: dict[str, str] = {}
        for frame in replay.roll(number):
            shown = shown | frame.parts
            found.append(shown)
    return found


@every_game
def test_nothing_that_was_sealed_is_seen_before_it_is_opened_if_so_chosen(
    db: None, game: AnyGame, present: clock.FixedTime
) -> None:
    if not seals(game):
        return
    moves, sealing, opens = first_sealing(game)
    twins = [moves, [*moves[:sealing], (*moves[sealing][:2], {"type": "bid", "no": "such"}), *moves[sealing + 1 :]]]
    matches = [played(game, present, each) for each in twins]
    who = moves[sealing][1]
    for viewer, handle in (("", ""), (who, ""), (who, who)):
        late = [frames_before(match, viewer, handle, opens, at_once=False) for match in matches]
        assert late[0] == late[1]
        at_once = [frames_before(match, viewer, handle, opens, at_once=True) for match in matches]
        assert (at_once[0] == at_once[1]) == (not handle and who not in viewpoints(seen_by(matches[0])))


def first_sealing(game: AnyGame) -> tuple[Moves, int, timedelta]:
    """Some moves up to the first opening, which of them seals something, and when it is opened."""
    moves: Moves = []
    sealing = None
    for event in bot_match(game, game.read_config({}), roster_of(game), SEED):
        if not event.player:
            if sealing is not None:
                return moves, sealing, event.at
            continue
        if sealing is None and game.sealed(event.step.state):
            sealing = len(moves)
        if sealing is None or len(moves) < sealing + 12:
            moves.append((event.at, event.player, event.action))
    raise AssertionError("bots seal nothing")


def frames_before(match: Match, viewer: str, handle: str, time: timedelta, *, at_once: bool) -> Any:
    replay = Replay(seen_by(match, viewer), handle, at_once=at_once)
    found = []
    for index, moment in enumerate(replay.moments):
        if moment.time >= time:
            break
        found.append(re.sub(rf"{match.public_id}|x{match.pk}\b", "ID", repr(replay.frame(index))))
    return found


def test_where_votes_are_the_play_others_see_no_players_view(db: None, present: clock.FixedTime) -> None:
    game = all_games()["together_we_survive"]
    match = played(game, present, [])
    one, other = (entrant.handle for entrant in roster_of(game)[:2])
    assert viewpoints(seen_by(match)) == ()
    assert viewpoints(seen_by(match, one)) == (one,)
    with pytest.raises(LookupError):
        moments_for(seen_by(match, one), other)


def test_a_match_that_is_not_finished_has_no_replay_for_anybody(auction: Table) -> None:
    for name in ("ann", "dora", "eve"):
        client = browser(auction.users[name])
        assert "You can replay a match once it is finished" in client.look(f"{auction.url}replay/", status=404)
        for path in ("replay/frames/?roll=0", "replay/?as=ann", "replay/frames/?as=bob"):
            assert "ends_at" not in client.look(auction.url + path, status=404)
        answer = client.get(f"/api/v1{auction.url}replay/")
        assert (answer.status_code, answer.json()["code"]) == (409, "match_not_finished")
        assert ">Replay<" not in client.look(auction.url).replace("\n", "").replace(" ", "")
    cancel(auction.match, auction.users["dora"], "No time.")
    with pytest.raises(NoReplay, match="cancelled"):
        moments_for(viewer_of(auction.match, auction.users["ann"]))


def test_the_page_works_without_scripts(table: Table) -> None:
    table.finish()
    first = browser().look(f"{table.url}replay/")
    assert "The match has begun" in first
    moments = moments_for(viewer_of(table.match, AnonymousUser()))
    seen, page = 1, first
    while following := re.search(r'href="(\?at=(\d+))" data-replay-to="next"', page):
        page = browser().look(f"{table.url}replay/{following[1]}")
        assert int(following[2]) == moments[seen].row
        seen += 1
    assert seen == len(moments)
    assert "Finished" in page
    assert 'data-replay-to="previous"' in page
    assert browser().look(f"{table.url}replay/?at=999999999").count(f"{seen} of {seen}") == 1
    for at in ("", "-1", "x", "9" * 30):
        assert f"1 of {seen}" in browser().look(f"{table.url}replay/?at={at}")
