"""Django's SQLite backend, with files that their owner alone can read."""
