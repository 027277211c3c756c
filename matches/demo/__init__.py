"""Something to look at: people, a season of matches in all phases, and bots that keep it alive.

`rehearsal` plays in memory, `people` are the sign-ins, `season` stages rehearsed matches through the
services, `tend` keeps the season going, `load` makes many matches for load tests. No game is named.
"""
