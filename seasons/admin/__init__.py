"""The admin pages of seasons for hosts. `season_admin` has the list and the URLs, `season_form` makes seasons and edits
drafts and their cast, `console` is a season's page, `next_match` makes its matches, `commands` are what hosts can do.
All writing goes through `seasons.services`."""

from seasons.admin import season_admin

__all__ = ["season_admin"]
