"""The table at which people take notes: that of the pages' tests."""

from tests.web.conftest import table

__all__ = ["table"]
