"""Fields and pickers: numbers with units, frames, lists of matches."""
