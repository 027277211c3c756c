"""Runs in a process of its own, for `FileBot`: reads a bot's file, and then answers each line with a line.

What the bot prints goes to the screen of whoever started the arena, and never among the answers.
"""

import json
import os
import runpy
import sys
import traceback
from typing import Any


def begun(path: str) -> tuple[Any, str]:
    """The function of a bot's file; or why there is none."""
    try:
        choose = runpy.run_path(path, run_name="bot").get("choose")
    except Exception:
        return None, traceback.format_exc(limit=-1).strip()
    return choose, "" if callable(choose) else "it has no function “choose”"


def main(path: str) -> None:
    """Answer until there is nothing more to read."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    choose, problem = begun(path)
    print(json.dumps({"unusable": problem} if problem else {}), file=answers, flush=True)
    if problem:
        return
    for line in sys.stdin:
        try:
            answer = {"action": choose(*json.loads(line))}
            text = json.dumps(answer)
        except Exception as error:  # whatever a bot does wrong costs it this turn
            text = json.dumps({"raised": repr(error)})
        answers.write(text + "\n")
        answers.flush()


main(sys.argv[1])
