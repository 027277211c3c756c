"""Rehearsals in the console: their list and the form (`pages`), the report (`report`), and its deadlines (`hours`)."""
