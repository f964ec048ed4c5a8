"""Stands before the real PySide6 on the path, so that a test run sees a machine where Qt is not installed.

packaging/test.sh puts this folder into PYTHONPATH for all tests below ``gui``; programs that a test starts inherit it.
"""

raise ModuleNotFoundError("No module named 'PySide6' (hidden for this test run)", name="PySide6")
