"""What a template looks at: by this it is known what has to be worked out anew for another card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass

from jinja2 import meta, nodes

_LEADS_ELSEWHERE = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Block, nodes.ContextReference)


@dataclass(frozen=True, slots=True)
class Notes:
    """What a template looks at.

    `names` are looked up in its context. `below` are the templates that it names, None where that is worked out only
    when it is rendered. `contained` are its macros that look at nothing but their arguments, and at others of these.
    `lends_macros` says that it is made of macros and of nothing else, and that these lead nowhere else; `stored` are
    the names that it gives to something else than a macro.
    """

    names: frozenset[str] = frozenset()
    below: tuple[str | None, ...] = ()
    contained: frozenset[str] = frozenset()
    lends_macros: bool = False
    stored: frozenset[str] = frozenset()


def noted(tree: nodes.Template, names: Set[str], macros: Mapping[str, Set[str]], known: Set[str]) -> Notes:
    """The notes on a template that looks at some names, and its macros each at some outside of themselves.

    `known` are the names that stand for the same in every template.
    """
    stored = _stored(tree)
    return Notes(
        names=frozenset(names),
        below=tuple(meta.find_referenced_templates(tree)),
        contained=_contained(tree, {name: looked - known for name, looked in macros.items()}, stored),
        lends_macros=_lends_macros(tree),
        stored=stored,
    )


def _contained(tree: nodes.Template, macros: Mapping[str, Set[str]], stored: Set[str]) -> frozenset[str]:
    defined = Counter(macro.name for macro in tree.find_all(nodes.Macro))
    found = {
        macro.name
        for macro in tree.body
        if isinstance(macro, nodes.Macro) and defined[macro.name] == 1 and macro.name not in stored
        if not any(macro.find_all(_LEADS_ELSEWHERE))
    }
    while wrong := {name for name in found if not macros[name] <= found}:
        found -= wrong
    return frozenset(found)


def _stored(tree: nodes.Template) -> frozenset[str]:
    names: set[str] = set()
    for node in tree.find_all((nodes.Name, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Name):
            names.update((node.name,) if node.ctx != "load" else ())
        elif isinstance(node, nodes.Import):
            names.add(node.target)
        elif isinstance(node, nodes.FromImport):
            names.update(name if isinstance(name, str) else name[1] for name in node.names)
    return frozenset(names)


def _lends_macros(tree: nodes.Template) -> bool:
    silent = (
        isinstance(node, nodes.Macro)
        or (isinstance(node, nodes.Output) and all(isinstance(each, nodes.TemplateData) for each in node.nodes))
        for node in tree.body
    )
    # A macro that changes whether its text is escaped does so for all others too, until it has ended.
    return all(silent) and not any(tree.find_all((*_LEADS_ELSEWHERE, nodes.EvalContextModifier)))
