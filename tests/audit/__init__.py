"""Asks what is newer than what is locked, and what has known holes: of others, on the network, so no test asks them."""
