"""The MVP: two teams bid for cards that cover each other, and the most useful player of the winning team wins."""

from matches.games.the_mvp.game import TheMvp

GAME = TheMvp()
