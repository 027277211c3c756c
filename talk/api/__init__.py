"""The API of talk, with the same rights and services as the pages."""
