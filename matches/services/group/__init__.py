"""The group writer: players' actions of several matches in one transaction.

A commit waits for the disk, and each statement costs as much for one row as for many. So one thread in each process
takes all actions that wait, judges them, writes each table once, commits, and only then answers. What is unusual (a
start that has come, rules that fail, a player whose refusals are used up) it judges after that as a group of one; what
belongs to a match that somebody else keeps locked comes round again for a while.
"""
