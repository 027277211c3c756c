"""Drafts made from what is there: a copy of a match (`duplicates`), a pasted list of names (`pasted`), bots in open
places (`filling`); `numbered` finds a title that is free.
"""
