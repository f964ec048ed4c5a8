"""Where the scene is seen from, and what is in sight."""
