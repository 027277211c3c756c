"""What the tests in the games' own folders share; it knows no game."""
