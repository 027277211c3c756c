"""From a person's matches to the text of a calendar: `deadlines` (what is to come), `events` (what calendars were told
of it), `ical` (as iCalendar); `addresses` are where it is read."""
