"""A card project: cardgen.yaml, where things are looked up, and that no path leaves the project."""

from cardgen.project.codes import Code
from cardgen.project.project import Project
from cardgen.project.settings import Settings

__all__ = ["Code", "Project", "Settings"]
