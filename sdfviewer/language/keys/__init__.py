"""What keys do to a text: typing, lines, strokes, formatting."""
