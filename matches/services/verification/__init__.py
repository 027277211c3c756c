"""What `manage.py verify` compares with a match's log, a topic in each module (`services/replay.py` runs them all)."""
