"""The context of each part of the window: the open file, change signals, settings and background jobs."""
