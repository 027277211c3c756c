"""Rehearsals in the console: their list and the form (`pages`), the report in words (`words`), its deadlines (`hours`),
and the board that can be watched (`board`)."""
