"""What somebody who has been outbid wants to know at once."""

from __future__ import annotations

from matches.engine.sentences import counted
from matches.engine.step import Announcement
from matches.games.lowest_unique_integer.private_view import AuctionPrivate
from matches.games.lowest_unique_integer.public_view import AuctionPublic


def advice(public: AuctionPublic, private: AuctionPrivate, item: Announcement) -> str:
    """The lowest amount that can be bid on that seat now, and what the player could bid; empty if nothing can be.

    It is not earlier than the latest bid: what a bid cost and was promised then, a new one costs and is promised too.
    """
    if item.kind != "outbid" or public.last_bid_at is None:
        return ""
    if public.last_bid_at > public.last_chance_at:
        return "A new bid would win nothing: everything stops before its timer ends."
    costs = public.fee > 0 and public.last_bid_at >= public.fee_from
    price = f"each new bid costs {counted(public.fee, 'garnet')}"
    if costs and not private.can_pay_fee:
        return f"You cannot bid now: {price}, and you have {private.garnets}."
    seat = next(seat for seat in public.seats if seat.seat == item.data["seat"])
    if seat.lowest_bid is None:
        return ""
    lowest = f"The lowest amount that can be bid on {seat.seat} now is {seat.lowest_bid}."
    free = f"You have {counted(private.free, 'free chip')}"
    fee = f" {price.capitalize()}." if costs else ""
    if private.free >= seat.lowest_bid:
        return f"{lowest} {free}.{fee}"
    return f"{lowest} {free}, which is not enough.{fee}"
