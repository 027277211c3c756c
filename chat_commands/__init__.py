"""Playing from a chat server by slash commands (docs/running.md)."""
