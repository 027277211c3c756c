"""Practice: games of one person against bots, for as long as they like. They are not matches: they have no players and
no log, so nothing that lists, counts or announces matches finds them."""
