"""What the studio knows of a project, in a process of its own.

That process has one thread, so it can draw strangers' templates in forks with hard limits, and the server stays quick.
"""
