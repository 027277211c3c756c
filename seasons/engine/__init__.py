"""What ties matches into a season, as arithmetic: no database, clock, chance or network. Docs: docs/hosting.md."""
