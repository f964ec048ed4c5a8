"""The program of a bundle: sdfviewer, and the Python of the processes that it starts.

``sdfviewer.programs.python_process`` starts ``sys.executable -I -X utf8 -c STATEMENT``: in a bundle, this program.
"""

from __future__ import annotations

import sys

_PYTHON = ["-I", "-X", "utf8", "-c"]

if sys.argv[1:5] == _PYTHON:
    statement = sys.argv[5]
    sys.argv = ["-c", *sys.argv[6:]]
    exec(compile(statement, "<string>", "exec"), {"__name__": "__main__"})
else:
    from sdfviewer.cli import main

    sys.exit(main())
