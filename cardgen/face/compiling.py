"""Compiling templates: what comes of their operators is measured, and what they look at is noted."""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE

from cardgen.face.notes import noted

# What compiled code calls most often, by the names that the sandbox has for it.
_CALLED = ("written", "added", "multiplied")
# How it calls the variables of the template itself, outside of all macros.
_OUTERMOST = "l_0_"
# What a macro is given beside its own arguments.
_IMPLICIT = frozenset({"caller", "kwargs", "varargs"})


class BoundedCode(CodeGenerator):
    """Compiles operators and what gathers values so that the sandbox can measure what comes of them.

    When a template is compiled, the sandbox is told what it looks at.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names: set[str] = set()
        # What each macro looks at outside of itself; and the same of those that are being compiled.
        self._macros: dict[str, set[str]] = {}
        self._inside: list[set[str]] = []

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja2's name
        """Tell the sandbox what the template looks at."""
        self.writeline(f"{', '.join(_CALLED)} = {', '.join(f'environment.{name}' for name in _CALLED)}")
        super().visit_Template(node, frame)
        if self.filename is not None:
            known = self.environment.globals.keys()
            self.environment.note(self.filename, noted(node, self._names, self._macros, known))  # type: ignore[attr-defined]

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note what the macro looks at outside of itself."""
        self._inside.append(self._macros.setdefault(node.name, set()))
        super().visit_Macro(node, frame)
        self._inside.pop()

    def enter_frame(self, frame: Frame) -> None:
        """Note what is looked up in the context, and what comes from outside of the macros."""
        super().enter_frame(frame)
        for action, name in frame.symbols.loads.values():
            if action == VAR_LOAD_RESOLVE and name is not None:
                self._names.add(name)
                self._look_at(name)
            elif action == VAR_LOAD_ALIAS and name is not None:
                self._look_out(name)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note a name from outside of the macros."""
        self._look_out(frame.symbols.ref(node.name))
        if node.name in _IMPLICIT:
            self._look_at("")
        super().visit_Name(node, frame)

    def visit_NSRef(self, node: nodes.NSRef, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note whose attribute is set."""
        self._look_out(frame.symbols.ref(node.name))
        super().visit_NSRef(node, frame)

    def _look_out(self, variable: str) -> None:
        if variable.startswith(_OUTERMOST):
            self._look_at(variable.removeprefix(_OUTERMOST))

    def _look_at(self, name: str) -> None:
        """Note a name that stands outside of the macros that are being compiled; '' is one that nothing has."""
        for names in self._inside:
            names.add(name)

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """A number that is not finite would be written as the name `inf`, which nothing has."""
        if isinstance(node.value, float | complex) and not isfinite(node.value):
            self.fail("a number in it is too large", node.lineno)
        super().visit_Const(node, frame)

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Measure what it holds."""
        self._measured(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Measure what it holds."""
        self._measured(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Measure what it holds."""
        self._measured(super().visit_Tuple, node, frame)

    def _measured(self, visit: Callable[[Any, Frame], None], node: nodes.Expr, frame: Frame) -> None:
        """What is written out as it stands is no longer than its template."""
        if getattr(node, "ctx", "load") != "load" or _is_constant(node):
            visit(node, frame)
            return
        self.write("environment.gathered(")
        visit(node, frame)
        self.write(")")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """`~`, by way of the sandbox."""
        self.write("environment.joined(")
        self._operands(node.nodes, frame)
        self.write(")")

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """`+`, by way of the sandbox."""
        self.write("added")
        self._operands((node.left, node.right), frame)

    def visit_Mul(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """`*`, by way of the sandbox."""
        self.write("multiplied")
        self._operands((node.left, node.right), frame)

    def _operands(self, operands: Iterable[nodes.Expr], frame: Frame) -> None:
        self.write("(")
        for operand in operands:
            self.visit(operand, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if self._escapes(frame):
            self.write("written(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if self._escapes(frame):
            self.write(")")
        else:
            super()._output_child_post(node, frame, finalize)

    @staticmethod
    def _escapes(frame: Frame) -> bool:
        return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        """What looks at the same things again is not made again."""
        if not node.with_context:
            super()._import_common(node, frame)
            return
        self.write("environment.lent(")
        self.visit(node.template, frame)
        self.write(f", {self.name!r}, context, {self.dump_local_context(frame)})")


def _is_constant(node: nodes.Node) -> bool:
    """Whether a value is made of constants only."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return all(map(_is_constant, node.items))
    return isinstance(node, nodes.Const)
