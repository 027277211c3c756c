"""Notes that people take at a match for themselves. Uses matches' services and pages; matches/ does not know of it."""
