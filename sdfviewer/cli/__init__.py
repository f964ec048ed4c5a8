"""The command line: one module per subcommand.

Knows arguments, exit codes and output formats; must not know Qt except inside the functions that open a window.
"""
