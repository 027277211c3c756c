"""Drafts made from what is there: a copy of a match, a template of one's own, a file, a pasted list of names.

`duplicates` copies a match; `settings_file` reads and writes a match's settings as one JSON document; `templates` keeps
such documents under a name; `numbered` finds a title that is free; `pasted` reads a list of names; `filling` lets bots
play in open places.
"""
