"""For which commands a host must say why, and for which they may: each command is in one of three lists."""

from __future__ import annotations

from matches.admin.commands.amending import WhyForm
from matches.admin.commands.registry import COMMANDS

MUST = {"correct", "decide", "withdraw", "cancel", "peek"}
"""They change what somebody has or has been told, decide for somebody, end the match, or look at what is secret."""

MAY = {"extend", "follow", "pause", "close", "who_plays", "away"}
"""They move times or people, as is agreed now and then."""

NEED_NONE = {
    "fill",
    "when-sent",
    *("publish", "start", "resume", "undo", "answer", "announce", "remind"),
    *("leniency", "invite", "blood", "hosts", "unpublish", "fault", "delete", "fill"),
}
"""They say by themselves what they are for, or are words themselves."""


def test_each_command_asks_for_a_reason_as_much_as_it_weighs() -> None:
    asks = {name: command.form.base_fields.get("reason") for name, command in COMMANDS.items()}
    assert {name for name, field in asks.items() if field is not None and field.required} == MUST
    assert {name for name, field in asks.items() if field is not None and not field.required} == MAY
    assert {name for name, field in asks.items() if field is None} == NEED_NONE


def test_who_changes_the_settings_of_a_running_match_says_why() -> None:
    assert WhyForm.base_fields["reason"].required
