"""Black and White: a duel of sealed numbers of which everybody sees the colour, and both are spent."""

from matches.games.black_and_white.game import BlackAndWhite

GAME = BlackAndWhite()
