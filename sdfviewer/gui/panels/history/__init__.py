"""The history panel."""
