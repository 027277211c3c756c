"""Playing from a chat server by slash commands (docs/slash-commands.md)."""
