"""Texts in the picture: glyphs, layout, labels and marks of measures."""
