"""The group writer, which stores players' actions in several matches in one transaction.

A commit waits for the disk, and each statement costs as much for one row as for many. So one thread in each process
takes all waiting actions, judges them, writes each table once, commits, and only then answers. Afterwards it judges
unusual ones (a start that is due, rules that fail, a player with too many refusals) one by one. Actions in matches that
somebody else keeps locked are tried again for a while.
"""
