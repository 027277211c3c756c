"""Rehearsals in the console: their list and the form (`pages`), the report (`report`), its deadlines (`hours`), and the
board that can be watched (`board`)."""
