"""Text on the screen: shortened, marked, coloured, free of markup from files."""
