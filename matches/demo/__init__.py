"""Something to look at: people, a season of matches in all phases, and bots that keep it alive.

`bot_play` plays in memory, `people` are the sign-ins, `season` stages what was played through the services, `speeds`
says how fast clocks run, `tend` keeps the season going, `load` makes many matches for load tests. No game is named.
"""
