// Says at once which bids would go through; the server's own word follows a moment later.
