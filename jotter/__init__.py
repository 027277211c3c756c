"""What people write down at a match for themselves: forms that are not sent yet, notes, and marks. Uses matches'
services, queries and pages; matches/ does not know of it."""
