"""Runs in a process of its own, for `FileBot`: reads a bot's file, and then answers each line with a line.

What the bot prints goes to the screen of whoever started the arena, and never among the answers.
"""

import json
import os
import runpy
import sys


def main(path: str) -> None:
    """Answer until there is nothing more to read."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    choose = runpy.run_path(path, run_name="bot")["choose"]
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = {"action": choose(*json.loads(line))}
            text = json.dumps(answer)
        except Exception as error:  # whatever a bot does wrong costs it this turn
            text = json.dumps({"raised": repr(error)})
        answers.write(text + "\n")
        answers.flush()


main(sys.argv[1])
