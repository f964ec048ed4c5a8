"""Fingerprints of files, to detect changes by other programs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Content of a file at one moment: time of the last change, size in bytes, SHA-256."""

    mtime_ns: int
    size: int
    digest: str
