"""How long a test waits for what must come: a program that it has started, or a state of the window.

Only what hangs takes so long, also on a machine that does ten other things. The limit of a whole test is in
pyproject.toml.
"""

from __future__ import annotations

PATIENCE_SECONDS = 150
PATIENCE_MILLISECONDS = 1000 * PATIENCE_SECONDS
