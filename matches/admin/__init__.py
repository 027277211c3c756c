"""The hosts' console: Django's admin, in which hosts set matches up and look after them.

`match` the list and the addresses, `drafts` creating and settings, `places` who plays, `console` a
match's page, `commands` what a host can do, `records` the books to read, `scope` who sees what.
Everything is written through `matches.services`.
"""

from matches.admin import match, records

__all__ = ["match", "records"]
