"""``python -m sdfviewer``: the same as the ``sdfviewer`` command."""

import sys

from sdfviewer.programs import leave_working_folder

if __name__ == "__main__":
    leave_working_folder()  # which `-m` makes the first place to import from
    from sdfviewer.cli import main

    sys.exit(main())
