"""The pages: `front` (lists of matches), `table` (one match), `acting` (actions of players), `asking` (what-ifs),
`records` (history, result, log), `joining`, `places` (absences), `voice` (what hosts say, questions to
them), `games`. They read through queries and write through services.
"""
