"""The table of the services' tests."""

from tests.services.conftest import _tiny_game_is_registered, table

__all__ = ["_tiny_game_is_registered", "table"]
