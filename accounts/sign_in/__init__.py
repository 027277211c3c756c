"""Signing in: how often passwords and codes are looked at, and which browsers are known."""
