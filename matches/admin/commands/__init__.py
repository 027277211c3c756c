"""What a host can do to a match, one file for each topic: its form, what it will do in words, the doing, and how the
log tells of it. `registry` lists all of them, `base` is what they share."""
