"""What a host can do in a season, by topic."""
