"""A parsed template, with what the analyses of all templates that load it have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from jinja2 import nodes

from cardgen.face.template.mistakes.expressions import guarded_paths
from cardgen.face.template.mistakes.syntax import Mistake


@dataclass(frozen=True)
class ParsedSource:
    """A template with its syntax mistakes; its tree is None if they leave none."""

    tree: nodes.Template | None
    mistakes: tuple[Mistake, ...]

    @cached_property
    def assigned_names(self) -> frozenset[str]:
        """All names that the template assigns anywhere."""
        if self.tree is None:
            return frozenset()
        names = {node.name for node in self.tree.find_all(nodes.Name) if node.ctx != "load"}
        return frozenset({*names, *(node.name for node in self.tree.find_all(nodes.Macro))})

    @cached_property
    def guarded_paths(self) -> frozenset[str]:
        """The paths of values that the template tests before it uses them."""
        return guarded_paths(self.tree) if self.tree is not None else frozenset()
