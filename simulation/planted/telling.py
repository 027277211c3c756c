"""Bugs in what people are told: pushes, views, notices, mail, posts, talk."""

from __future__ import annotations

import dataclasses
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from matches.live import snapshots
from matches.live.hub import Hub
from matches.models import OutboxRow
from matches.services.group import writer as group_writer
from matches.services.storage import many, new_rows
from notices.match_webhooks import sending as match_news
from notices.match_webhooks.bodies import message_of
from notices.models import PublicPost
from notices.reminders import reminding
from notices.services import noting, passing_on
from simulation.planted.planting import bug, without
from talk.queries import rights
from talk.services import posting


@bug("a lost outbox row")
def _lost_outbox_row() -> AbstractContextManager[Any]:
    real = many.upsert

    def losing(model: Any, found: Any, *more: Any) -> Any:
        return real(model, found[1:] if model is OutboxRow else found, *more)

    return mock.patch.object(new_rows, "many", without(many, upsert=losing))


@bug("a notice that is dropped")
def _notice_dropped() -> AbstractContextManager[Any]:
    real = passing_on.store
    return mock.patch.object(passing_on, "store", lambda notices: real(notices[:-1]))


@bug("a mail that is not noted as sent")
def _mail_not_noted_as() -> AbstractContextManager[Any]:
    real = noting._mark

    def due_again(bundle: Any, **changes: Any) -> None:
        changes.pop("status", None)
        real(bundle, **changes)

    return mock.patch.object(noting, "_mark", due_again)


@bug("a private part pushed to everybody")
def _private_part_pushed_to() -> AbstractContextManager[Any]:
    real = snapshots._public_json

    def leaking(position: Any, now: Any) -> Any:
        found = real(position, now)
        player = position.match.players.order_by("pk").first()
        view = snapshots._private_json(position, player, now).parts
        return snapshots.Snapshot(found.stamp, found.versions, {**found.parts, **view})

    changed = {**snapshots._PUBLIC, "json": leaking}
    return mock.patch.object(snapshots, "_PUBLIC", changed)


@bug("a version that does not move")
def _version_does_not_move() -> AbstractContextManager[Any]:
    real = group_writer.GroupedWriter.save

    def still(self: Any, *, acted: Any = None) -> None:
        before = self.match.public_version
        real(self, acted=acted)
        self.match.public_version = before

    return mock.patch.object(group_writer.GroupedWriter, "save", still)


@bug("a lost push that nobody looks for")
def _lost_push_nobody_looks() -> AbstractContextManager[Any]:
    async def never(self: Any) -> None:
        return None

    return mock.patch.object(Hub, "_check", never)


@bug("a message whose key is not looked for")
def _message_key_not_looked_for() -> AbstractContextManager[Any]:
    return mock.patch.object(posting, "_sent_before", return_value=None)


@bug("a hint of talk that goes to everybody")
def _hint_goes_to_everybody() -> AbstractContextManager[Any]:
    return mock.patch.object(rights, "reader_ids", return_value=None)


@bug("a post that is not noted as taken")
def _post_not_noted() -> AbstractContextManager[Any]:
    return mock.patch.object(match_news, "note", return_value=None)


@bug("news of a match that overtakes what failed")
def _news_overtakes() -> AbstractContextManager[Any]:
    real = match_news._turn

    def newest_first(desk: Any, pk: int) -> Any:
        turn = real(desk, pk)
        waiting = desk.posts.objects.filter(webhook=pk, status=PublicPost.Status.WAITING).order_by("-pk")
        if turn is None or (newest := waiting.first()) is None:
            return turn
        message = message_of(turn.webhook, newest, desk.board_of(turn.webhook, newest))
        return dataclasses.replace(turn, post=newest, message=message)

    return mock.patch.object(match_news, "_turn", newest_first)


@bug("a reminder that is put off for ever")
def _reminder_put_off() -> AbstractContextManager[Any]:
    return mock.patch.object(reminding, "_take", return_value=None)
