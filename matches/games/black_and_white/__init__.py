"""Black and White: a duel with secret numbers, of which everybody sees only the colour. Both numbers are spent."""

from matches.games.black_and_white.game import BlackAndWhite

GAME = BlackAndWhite()
