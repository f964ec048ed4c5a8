"""The joints panel."""
