"""The script with which people prove exported files on their own machines, without this site."""
