"""The arena: bots play many matches against each other in memory, on the rules alone."""
