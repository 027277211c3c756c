"""Tells people elsewhere than on the match's page what has happened: on the site, by mail, on their phones, and to
their own programs. It uses `matches`, which does not know of it."""
