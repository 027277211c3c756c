"""What a site says of itself: privacy, accessibility, and the small files that browsers and robots ask for."""
