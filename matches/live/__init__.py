"""Live boards: after a commit, changed views are rendered and sent to every socket that watches the match."""
