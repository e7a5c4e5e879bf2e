"""Cards become diagnostics: one file is one check, and its docstring is the manual page."""
