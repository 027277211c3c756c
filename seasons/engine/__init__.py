"""The rules of seasons, pure: no database, clock, chance or network. Docs: docs/hosting.md."""
