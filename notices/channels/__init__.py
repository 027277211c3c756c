"""The ways in which a notice leaves the site, one file each."""
