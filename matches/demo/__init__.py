"""Demo data: people, a season of matches in all phases, and bots that keep it going.

`bot_play` plays matches in memory, `people` makes the accounts, `season` plays the same moves through the services,
`speeds` sets how fast clocks run, `tend` keeps the season going, and `load` makes many matches for load tests. No game
is named here.
"""
