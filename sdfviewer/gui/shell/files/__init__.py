"""Files of the window: opened, saved, recovered, closed, changed on the disk."""
