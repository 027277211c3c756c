"""Talk for programs: the same rights and services as the pages."""
