"""What people take with them to check the site without it."""
