"""The pages: `front` (lists and match types), `table` (one match and its hosts' words), `acting` (actions, what-ifs),
`records` (history, result, log), `replays`, `places`, `people`. They read through queries and write through services.
"""
