"""Calendars (iCalendar) and feeds (Atom) of matches, for programs that people use elsewhere."""
