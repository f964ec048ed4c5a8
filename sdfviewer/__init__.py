"""sdfviewer: read, check, view and edit SDFormat robot models and their frame graphs."""
