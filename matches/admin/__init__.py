"""The hosts' console: Django's admin, in which hosts set matches up and look after them.

`match_admin` the list and the addresses, `draft_pages` creating and settings, `players_table` who plays, `console` a
match's page, `commands` what a host can do, `record_lists` log and ledger to read, `hosted` which matches one sees.
Everything is written through `matches.services`.
"""

from matches.admin import match_admin, record_lists

__all__ = ["match_admin", "record_lists"]
