"""Views of the pages of matches and people. They read through queries and write through services."""
