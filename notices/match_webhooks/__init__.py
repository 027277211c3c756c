"""Webhooks of a match: what everybody is told, posted to a community's channel or to a program, with the board."""
