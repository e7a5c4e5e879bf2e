"""A card project: its settings, its files, and its folders."""

from cardgen.diagnostic import Code
from cardgen.project.project import Project, Settings

__all__ = ["Code", "Project", "Settings"]
