"""People: their accounts, how they sign in, and their preferences. This app does not know about matches."""
