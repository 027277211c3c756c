"""The commands of hosts, one file for each topic: the form, what will happen in words, the execution, and the words for
the log. `registry` lists all commands, `base` is what they share."""
