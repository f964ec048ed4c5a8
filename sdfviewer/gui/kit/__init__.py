"""What every part of the window is made of, and knows no document: the theme, icons, text, fields and pickers."""
