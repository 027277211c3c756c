"""What somebody who has been outbid wants to know at once."""

from __future__ import annotations

from matches.engine.sentences import counted
from matches.engine.step import Announcement
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic


def advice(public: AuctionPublic, private: AuctionPrivate, item: Announcement) -> str:
    """The lowest amount that can be bid on that seat now, and what the player could bid; empty if nothing can be."""
    if item.kind != "outbid":
        return ""
    seat = next(seat for seat in public.seats if seat.seat == item.data["seat"])
    if seat.lowest_bid is None:
        return ""
    lowest = f"The lowest amount that can be bid on {seat.seat} now is {seat.lowest_bid}."
    free = f"You have {counted(private.free, 'free chip')}"
    if private.free >= seat.lowest_bid:
        return f"{lowest} {free}."
    return f"{lowest} {free}, which is not enough."
