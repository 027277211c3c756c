"""Private notes about a match. Uses the services and pages of `matches`, which does not know of it."""
