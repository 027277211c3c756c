"""The hosts' desk for seasons, in Django's admin: `season_admin` has the list and the addresses, `season_form` makes
seasons and changes drafts, `cast_table` and `cast_page` edit the cast, `console` is a season's page, `next_match` makes
its matches, `commands` are what a host can do. All writing goes through `seasons.services`.
"""

from seasons.admin import season_admin

__all__ = ["season_admin"]
