"""The table at which the site's own tests of pages play, for those of this game's pages."""

from tests.web.conftest import auction, table

__all__ = ["auction", "table"]
