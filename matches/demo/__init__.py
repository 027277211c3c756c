"""Demo data: people, a season of matches in all phases, and bots that keep it going.

`bot_play` plays matches in memory, `people` makes the accounts, `season` plays the same moves through the services and
makes matches for load tests, and `upkeep` sets the speed of clocks and keeps the season going. No game is named here.
"""
