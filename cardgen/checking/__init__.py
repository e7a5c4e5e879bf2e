"""The check engine: cards become diagnostics; one file is one check, and its docstring the manual page."""
