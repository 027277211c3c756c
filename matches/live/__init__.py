"""Live boards: after commit, views become rendered parts and travel to every socket that watches."""
