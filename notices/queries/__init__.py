"""Named reads of notices and of how they went out."""
