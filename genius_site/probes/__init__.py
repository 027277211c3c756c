"""What machines ask a process about itself: `/livez` and `/readyz`, answered before Django."""
