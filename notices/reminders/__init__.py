"""Reminders of deadlines before which somebody has sent nothing.

`deadlines` keeps, whenever a match changes, which deadlines ask something of players and when to look, and lets people
ask to be told later; `reminding` looks at those matches alone whose time has come, reminds whom their own private view
still asks, and tells hosts that everybody has submitted. No game is named anywhere: what is asked comes from the
private views."""
