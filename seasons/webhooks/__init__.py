"""Webhooks of a season: what everybody is told in it and in its matches, to one address, in its order.

How posts are sent, stopped and looked after is what it is for a match (`notices.match_webhooks`).
"""
