"""Talk beside a match: public, of a team, between players, and the words that go with a gift. Uses matches' services,
queries and pages; matches/ does not know of it."""
