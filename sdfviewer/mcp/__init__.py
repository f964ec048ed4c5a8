"""The server for assistants (Model Context Protocol): reading tools, and every operation as a preview.

Knows the protocol and the library; must not know Qt, nor how an operation makes its edit.
"""
