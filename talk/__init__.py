"""Talk in a match or season: public, within teams, between players, and the messages with gifts. It uses the services,
queries and pages of `matches`, which does not know of it."""
