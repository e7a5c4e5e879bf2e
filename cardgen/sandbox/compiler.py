"""Jinja2 code generator that adds size limits and records dependencies."""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import meta, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE

from cardgen.sandbox.template_dependencies import DependencyRecorder, TemplateDependencies

# Methods of the sandbox that compiled code calls most often, by their names there.
_HOT_CALLS = {
    "write_value": "write_value", "call": "call", "attribute": "getattr", "add": "add", "subtract": "subtract",
    "multiply": "multiply",
}  # fmt: skip
_MAX_PIECES = 500
_MAX_PIECE = 20_000
# Nodes that add to the output buffer of a macro.
_BUFFERED_NODES = (nodes.Output, nodes.CallBlock, nodes.FilterBlock, nodes.Include)
# Prefix of Jinja2's names for the top-level variables of a template.
_TOP_LEVEL_PREFIX = "l_0_"
# Arguments of a macro that it does not declare.
_IMPLICIT_ARGUMENTS = frozenset({"caller", "kwargs", "varargs"})
# Nodes whose output depends on more than names. Those that change autoescaping affect other nodes too.
_DYNAMIC_NODES = frozenset({
    nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport, nodes.Block, nodes.ContextReference,
    nodes.DerivedContextReference, nodes.EvalContextModifier, nodes.ScopedEvalContextModifier,
})  # fmt: skip


class BoundedCodeGenerator(CodeGenerator):
    """Compiler for templates with limits on the size of values.

    After compiling a template, it passes the dependencies to the sandbox.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._recorder = DependencyRecorder()
        self._loops = 0

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja2's name
        """Pass the dependencies of the template to the sandbox."""
        self.writeline(f"{', '.join(_HOT_CALLS)} = {', '.join(f'environment.{name}' for name in _HOT_CALLS.values())}")
        super().visit_Template(node, frame)
        if self.filename is not None:
            self.environment.record(self.filename, self._dependencies(node))  # type: ignore[attr-defined]

    def _dependencies(self, tree: nodes.Template) -> TemplateDependencies:
        recorder = self._recorder
        top_level = [node.name for node in tree.body if isinstance(node, nodes.Macro)]
        return TemplateDependencies(
            names=frozenset(recorder.names),
            referenced_templates=tuple(meta.find_referenced_templates(tree)) if recorder.dynamic else (),
            pure_macros=recorder.pure_macros(top_level, self.environment.globals.keys()),
            only_macros=not recorder.dynamic and all(map(_renders_nothing, tree.body)),
            assigned=frozenset(recorder.assigned),
        )

    def enter_frame(self, frame: Frame) -> None:
        """Record lookups in the context and outer names."""
        super().enter_frame(frame)
        for action, name in frame.symbols.loads.values():
            if action == VAR_LOAD_RESOLVE and name is not None:
                self._recorder.names.add(name)
                self._recorder.record_outer_name(name)
            elif action == VAR_LOAD_ALIAS and name is not None:
                self._record_outer(name)

    def _record_outer(self, variable: str) -> None:
        if variable.startswith(_TOP_LEVEL_PREFIX):
            self._recorder.record_outer_name(variable.removeprefix(_TOP_LEVEL_PREFIX))

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the outer names that the macro uses."""
        if node.name in self.environment.globals:
            # It hides a global such as `range`, here and wherever this template's context is used.
            self._recorder.assigned.add(node.name)
        with self._recorder.macro(node.name):
            super().visit_Macro(node, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        """Record the names of the arguments of a macro or call block."""
        self._recorder.assigned.update(argument.name for argument in node.args)
        return super().macro_body(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record an assigned name, or an outer one."""
        if node.ctx != "load":
            self._recorder.assigned.add(node.name)
        if node.name in _IMPLICIT_ARGUMENTS:
            self._recorder.record_outer_name("")
        self._record_outer(frame.symbols.ref(node.name))
        super().visit_Name(node, frame)

    def visit_NSRef(self, node: nodes.NSRef, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the namespace whose attribute is set."""
        self._record_outer(frame.symbols.ref(node.name))
        super().visit_NSRef(node, frame)

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the name of the import."""
        self._recorder.assigned.add(node.target)
        super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the names of the imports."""
        self._recorder.assigned.update(name if isinstance(name, str) else name[1] for name in node.names)
        super().visit_FromImport(node, frame)

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Record dynamic nodes, and check the size of macro output in loops."""
        if type(node) in _DYNAMIC_NODES:
            self._recorder.mark_dynamic()
        result = super().visit(node, *args, **kwargs)
        if self._loops and type(node) in _BUFFERED_NODES:
            self._measure_buffer(*args)
        return result

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Refuse an infinite number, whose repr `inf` would be an unknown name."""
        if isinstance(node.value, float | complex) and not isfinite(node.value):
            self.fail("a number is too large", node.lineno)
        super().visit_Const(node, frame)

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_Tuple, node, frame)

    def _visit_bounded(self, visit: Callable[[Any, Frame], None], node: nodes.Expr, frame: Frame) -> None:
        """Limit the size of a value, except for a constant.

        A constant is no larger than its template.
        """
        if getattr(node, "ctx", "load") != "load" or _is_constant(node):
            visit(node, frame)
            return
        self.write("environment.require_light(")
        visit(node, frame)
        self.write(")")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Count nested loops."""
        self._loops += 1
        super().visit_For(node, frame)
        self._loops -= 1

    def _measure_buffer(self, frame: Frame) -> None:
        """Join the buffered output, which checks its size."""
        if frame.buffer is not None:
            pieces = frame.buffer
            self.writeline(f"if {pieces} and (len({pieces}) > {_MAX_PIECES} or len({pieces}[-1]) > {_MAX_PIECE}):")
            self.writeline(f"    {pieces}[:] = [concat({pieces})]")

    def visit_Call(  # noqa: N802 - Jinja2's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """Compile a call as a call of the sandbox; no function needs the variables of the loops around it."""
        self.write("call(context, ")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile an attribute as a call of the sandbox."""
        self.write("attribute(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `~` as a call of the sandbox."""
        self.write("environment.concatenate(")
        self._operands(node.nodes, frame)
        self.write(")")

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `+` as a call of the sandbox."""
        self.write("add")
        self._operands((node.left, node.right), frame)

    def visit_Sub(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `-` as a call of the sandbox."""
        self.write("subtract")
        self._operands((node.left, node.right), frame)

    def visit_Mul(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `*` as a call of the sandbox."""
        self.write("multiply")
        self._operands((node.left, node.right), frame)

    def _operands(self, operands: Iterable[nodes.Expr], frame: Frame) -> None:
        self.write("(")
        for operand in operands:
            self.visit(operand, frame)
            self.write(", ")
        self.write(")")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        """Return the text of a constant; anything else is computed and checked at run time."""
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if self._escapes(frame):
            self.write("write_value(")
        else:
            super()._output_child_pre(node, frame, finalize)
            self.write("environment.require_printable(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")
        if not self._escapes(frame):
            super()._output_child_post(node, frame, finalize)

    @staticmethod
    def _escapes(frame: Frame) -> bool:
        return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        """Compile an import with context as a call of the sandbox.

        The sandbox reuses a module whose dependencies have not changed.
        """
        if not node.with_context:
            super()._import_common(node, frame)
            return
        self.write("environment.import_with_context(")
        self.visit(node.template, frame)
        self.write(f", {self.name!r}, context, {self.dump_local_context(frame)})")


def _is_constant(node: nodes.Node) -> bool:
    """Return whether a value consists of constants only."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return all(map(_is_constant, node.items))
    return isinstance(node, nodes.Const)


def _renders_nothing(node: nodes.Node) -> bool:
    """Return whether importing a node has no output, as with macros, constants, and text that no importer sees."""
    if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
        return _is_constant(node.node)
    return all(isinstance(each, nodes.TemplateData | nodes.Macro) for each in getattr(node, "nodes", [node]))
