"""``python -m sdfviewer``: the same as the ``sdfviewer`` command."""

import sys

from sdfviewer.cli import main

if __name__ == "__main__":
    sys.exit(main())
