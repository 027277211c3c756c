"""Practice: a table at which one person plays against bots, for as long as they like. It is not a match: it has no
players and no log, so nothing that lists, counts or tells of matches can come across it."""
