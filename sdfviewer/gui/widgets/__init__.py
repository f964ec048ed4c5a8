"""Widgets that know no document: fields, pickers, labels, icons and the theme."""
