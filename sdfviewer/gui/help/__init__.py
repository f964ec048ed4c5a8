"""Help: the manual, the shortcuts, the preferences, the tour."""
