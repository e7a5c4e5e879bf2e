"""What an editor asks about a project: problems, positions, completions, and edits.

It has no types of a protocol; the language server translates them.
"""
