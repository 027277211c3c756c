"""Django's SQLite backend, with database files that only their owner can read."""
