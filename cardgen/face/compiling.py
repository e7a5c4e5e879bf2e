"""Compiling templates: what comes of their operators is measured, and what they look at is noted."""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import meta, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE

from cardgen.face.notes import Notebook, Notes

# What compiled code calls most often, by the names that the sandbox has for it.
_CALLED = ("written", "added", "multiplied")
_MOST_PIECES = 500
_LONG_PIECE = 20_000
# All that adds to what a macro gathers.
_GATHERED = (nodes.Output, nodes.CallBlock, nodes.FilterBlock, nodes.Include)
# How it calls the variables of the template itself, outside of all macros.
_OUTERMOST = "l_0_"
# What a macro is given beside its own arguments.
_IMPLICIT = frozenset({"caller", "kwargs", "varargs"})
# What comes of these depends on more than names. One that changes whether text is escaped does so for others too.
_LEADS_ELSEWHERE = frozenset({
    nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport, nodes.Block, nodes.ContextReference,
    nodes.DerivedContextReference, nodes.EvalContextModifier, nodes.ScopedEvalContextModifier,
})  # fmt: skip


class BoundedCode(CodeGenerator):
    """Compiles operators and what gathers values so that the sandbox can measure what comes of them.

    When a template is compiled, the sandbox is told what it looks at.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._book = Notebook()
        self._loops = 0

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja2's name
        """Tell the sandbox what the template looks at."""
        self.writeline(f"{', '.join(_CALLED)} = {', '.join(f'environment.{name}' for name in _CALLED)}")
        super().visit_Template(node, frame)
        if self.filename is not None:
            self.environment.note(self.filename, self._notes(node))  # type: ignore[attr-defined]

    def _notes(self, tree: nodes.Template) -> Notes:
        book = self._book
        outermost = [node.name for node in tree.body if isinstance(node, nodes.Macro)]
        return Notes(
            names=frozenset(book.names),
            below=tuple(meta.find_referenced_templates(tree)) if book.leads_elsewhere else (),
            contained=book.contained(outermost, self.environment.globals.keys()),
            lends_macros=not book.leads_elsewhere and all(map(_says_nothing, tree.body)),
            stored=frozenset(book.stored),
        )

    def enter_frame(self, frame: Frame) -> None:
        """Note what is looked up in the context, and what comes from outside of the macros."""
        super().enter_frame(frame)
        for action, name in frame.symbols.loads.values():
            if action == VAR_LOAD_RESOLVE and name is not None:
                self._book.names.add(name)
                self._book.look_at(name)
            elif action == VAR_LOAD_ALIAS and name is not None:
                self._look_out(name)

    def _look_out(self, variable: str) -> None:
        if variable.startswith(_OUTERMOST):
            self._book.look_at(variable.removeprefix(_OUTERMOST))

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note what the macro looks at outside of itself."""
        if node.name in self.environment.globals:
            # It hides `range` or its like, in here and wherever this template's context is looked at.
            self._book.stored.add(node.name)
        with self._book.macro(node.name):
            super().visit_Macro(node, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        """Note the names of what a macro or a call is given."""
        self._book.stored.update(argument.name for argument in node.args)
        return super().macro_body(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note a name that is given to something, or one from outside of the macros."""
        if node.ctx != "load":
            self._book.stored.add(node.name)
        if node.name in _IMPLICIT:
            self._book.look_at("")
        self._look_out(frame.symbols.ref(node.name))
        super().visit_Name(node, frame)

    def visit_NSRef(self, node: nodes.NSRef, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note whose attribute is set."""
        self._look_out(frame.symbols.ref(node.name))
        super().visit_NSRef(node, frame)

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note the name of what is imported."""
        self._book.stored.add(node.target)
        super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Note the names of what is imported."""
        self._book.stored.update(name if isinstance(name, str) else name[1] for name in node.names)
        super().visit_FromImport(node, frame)

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Note what leads elsewhere; and what a macro gathers in a loop is measured every so many pieces."""
        if type(node) in _LEADS_ELSEWHERE:
            self._book.lead_elsewhere()
        found = super().visit(node, *args, **kwargs)
        if self._loops and type(node) in _GATHERED:
            self._measure_buffer(*args)
        return found

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

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Count the loops that a place is in."""
        self._loops += 1
        super().visit_For(node, frame)
        self._loops -= 1

    def _measure_buffer(self, frame: Frame) -> None:
        """Put together what was gathered, whereby it is measured."""
        if frame.buffer is not None:
            pieces = frame.buffer
            self.writeline(f"if {pieces} and (len({pieces}) > {_MOST_PIECES} or len({pieces}[-1]) > {_LONG_PIECE}):")
            self.writeline(f"    {pieces}[:] = [concat({pieces})]")

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


def _says_nothing(node: nodes.Node) -> bool:
    """Whether it is a macro, or only text that whoever imports it never sees."""
    if isinstance(node, nodes.Output):
        return all(isinstance(each, nodes.TemplateData) for each in node.nodes)
    return isinstance(node, nodes.Macro)
