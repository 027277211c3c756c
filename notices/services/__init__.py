"""The writers of notices, deliveries and settings. Each function is one transaction."""
