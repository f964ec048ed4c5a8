"""Edits of the library, by what they change."""
