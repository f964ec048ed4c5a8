"""The resource files of the package.

Knows the ``resources`` folder; must not know what any of its files mean.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
# A wheel carries the folder inside the package; a source checkout keeps it beside the package.
_ROOT = _PACKAGE / "resources" if (_PACKAGE / "resources").is_dir() else _PACKAGE.parent / "resources"


def resource(*parts: str) -> Path:
    """Return the path of a file or folder below ``resources``.

    Parameters
    ----------
    *parts
        Path components, for example ``resource("examples", "arm.sdf")``.

    Raises
    ------
    FileNotFoundError
        If nothing of that name ships with the program.
    """
    path = _ROOT.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"no resource {'/'.join(parts)!r} below {_ROOT}")
    return path


def documentation() -> Path:
    """Return the folder of the documentation's pages, which need not exist."""
    shipped = _ROOT / "documentation" / "docs"
    return shipped if shipped.is_dir() else _PACKAGE.parent / "docs"
