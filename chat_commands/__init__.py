"""Slash commands for playing from a chat server (docs/running.md)."""
