"""The hosts' console: Django's admin, in which hosts set matches up and look after them.

`match_admin` has the list and the URLs, `draft_pages` creates matches and changes drafts, `players_table` edits who
plays, `console` is a match's page, `commands` are what hosts can do, `record_lists` show log and ledger. All writing
goes through `matches.services`.
"""

from matches.admin import match_admin, record_lists

__all__ = ["match_admin", "record_lists"]
