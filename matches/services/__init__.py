"""The only writers: one function for each thing that can happen to a match, each one transaction.

`actions` players act, `deadlines` time passes, `hosting` hosts run matches, `seats` who plays,
`bots`, `blood`, `notices`, `verify` (log against state). Underneath: `writer`, `books`, `log`.
"""
