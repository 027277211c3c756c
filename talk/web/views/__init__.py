"""The pages of talk, by topic."""
