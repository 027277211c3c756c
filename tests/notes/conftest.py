"""The table at which people write things down: that of the pages."""

from tests.web.conftest import table

__all__ = ["table"]
