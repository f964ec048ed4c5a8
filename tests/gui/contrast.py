"""The contrast of colours as WCAG 2 defines it."""

from __future__ import annotations

from sdfviewer.palette import parse_hex


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB``, 0 for black and 1 for white."""
    codes = [value / 255 for value in parse_hex(colour)]
    red, green, blue = (code / 12.92 if code <= 0.04045 else ((code + 0.055) / 1.055) ** 2.4 for code in codes)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, 1 for the same and 21 for black and white."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
