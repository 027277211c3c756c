"""The pages on which people choose how they hear of things."""
