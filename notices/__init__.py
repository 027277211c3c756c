"""Notices: tells people what has happened when they are not on the match's page, on the site's other pages, by mail, on
their phones, and to their own programs. It uses `matches`, which does not know of it."""
