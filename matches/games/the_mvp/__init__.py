"""The MVP: two teams bid for cards that lie on each other, and the winning team's most useful player wins."""

from matches.games.the_mvp.game import TheMvp

GAME = TheMvp()
