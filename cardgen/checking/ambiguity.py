"""What the author of an ambiguous value, such as `yes` or `1:30`, meant, by what its key takes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.checking.locate import is_editable
from cardgen.diagnostic import Code, Diagnostic, Fix
from cardgen.source.composer import resolve_plain
from cardgen.validation.base import Model, annotation_parts, model_keys

_KEY = re.compile(r"""(?:^|[\s{,\[])["']?([^\s"'{}\[\],:]+)["']?\s*:\s*$""")


def settle(diagnostic: Diagnostic, models: Iterable[type[Model]]) -> tuple[Diagnostic, Fix | None]:
    """Return an error about an ambiguous value with the advice for its key, and the fix, if there is only one.

    `models` are those that the file may contain. What takes several types, or is unknown, keeps the general advice and
    the value of YAML 1.2.
    """
    span, line = diagnostic.place.span, diagnostic.place.source_line
    if diagnostic.code != Code.AMBIGUOUS or span is None or span.line != span.end_line:
        return diagnostic, None
    text = line[span.column - 1 : span.end_column - 1]
    scalar, before = resolve_plain(text), _KEY.search(line[: span.column - 1])
    takes = _types(before[1], models) if before else set[type]()
    quoted = f"'{text}'" if "'" not in text else f'"{text}"'
    fix: str | None = None
    if isinstance(scalar.value, str):
        fix = quoted
    elif isinstance(scalar.value, int | float) and not isinstance(scalar.value, bool):
        fix = f"{scalar.value:.15g}"
    if isinstance(scalar.legacy, bool) and takes == {bool}:
        fix = "true" if scalar.legacy else "false"
        diagnostic = diagnostic._replace(help=f"write {fix}")
    elif takes == {str}:
        fix = quoted
        diagnostic = diagnostic._replace(help=f"put {text} in quotes: {quoted}")
    elif takes == {int} and isinstance(scalar.value, str):
        fix = None
        diagnostic = diagnostic._replace(help="write a whole number")
    return diagnostic, Fix(fix, safe=True) if fix is not None and is_editable(diagnostic.place) else None


def _types(key: str, models: Iterable[type[Model]]) -> set[type]:
    """Return the types of plain values that a key takes, wherever models have it: bool, int, or str."""
    found: set[type] = set()
    pending, seen = [*models], set[type[Model]]()
    while pending:
        model = pending.pop()
        if model in seen:
            continue
        seen.add(model)
        for attribute, each in model_keys(model).items():
            pending.extend(each.models)
            if key in each.spellings and attribute in model.model_fields:
                parts = [*annotation_parts(model.model_fields[attribute].annotation)]
                found.update(each for each in (bool, int, str) if each in parts)
                found.update(bool for choice in each.choices if isinstance(choice, bool))
    return found
