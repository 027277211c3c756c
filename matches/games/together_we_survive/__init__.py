"""Together We Survive, Together We Prosper: two groups, two kinds of votes, and secrets that stay secret."""

from matches.games.together_we_survive.game import TogetherWeSurvive

GAME = TogetherWeSurvive()
