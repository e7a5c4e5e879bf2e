"""Files of translations as cardgen writes them: what is there stays, with its comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.model.translation import SOURCE, read_translations
from cardgen.project.project import Project
from cardgen.source import decode_document, parse_document, read_document
from cardgen.text.lines import LINE_BREAK

# The texts of cards with the sources that they were made from, by id and pointer; '' is a text in a column of a table.
Changes = Mapping[str, Mapping[str, tuple[str, str | None]]]
_PLAIN = re.compile(r"[^\W\d_](?:[^:#\n\t\\{}\[\]'\"]|:(?=\S)|(?<=\S)#)*")
_KEY = re.compile(r"[A-Za-z][\w/-]*")


def as_markup(text: str) -> str:
    """Return a text with the line breaks of cells as files can have them."""
    return text.replace(LINE_BREAK, "\\\n")


def changed_file(project: Project, path: Path, changes: Changes) -> bytes:
    """Return the content of a file of translations with changes. Raises CardgenError if that is too large."""
    name = project.display_path(path)
    before = read_translations(project, path).cards if path.exists() else {}
    comments = _comments(path, name) if path.exists() else {}
    cards = {
        id_: {field: (each.text, each.source) for field, each in card.texts.items()} for id_, card in before.items()
    }
    for id_, texts in changes.items():
        cards[id_] = {**cards.get(id_, {}), **texts}
    lines = [*_card_lines(cards, comments)]
    text = "\n".join((*comments.get((), ()), f"translations:{'' if lines else ' {}'}", *lines)) + "\n"
    content = text.encode()
    document = decode_document(content, name)
    if document.diagnostics:
        raise CardgenError(*document.diagnostics)
    return content


def _card_lines(cards: Changes, comments: Mapping[tuple[str, ...], list[str]]) -> Iterator[str]:
    for id_, texts in cards.items():
        if all(not text and source is None for text, source in texts.values()):
            continue
        yield from comments.get((id_,), ())
        yield f"  {_scalar(id_)}:"
        for field, (text, _) in texts.items():
            if text:
                yield from comments.get((id_, field), ())
                yield f"    {_scalar(field)}: {_scalar(text)}"
        sources = {field: source for field, (_, source) in texts.items() if source is not None}
        if sources:
            yield from comments.get((id_, SOURCE), ())
            yield f"    {SOURCE}:"
            yield from (f"      {_scalar(field)}: {_scalar(source)}" for field, source in sources.items())


def _scalar(text: str) -> str:
    """Return a text as YAML: as it is if that is read as the same text, else in quotes."""
    is_plain = _PLAIN.fullmatch(text) and text == text.strip()
    if is_plain and parse_document(f"a: {text}\n", "").data == {"a": text}:
        return text
    return json.dumps(text, ensure_ascii=False)


def _comments(path: Path, name: str) -> dict[tuple[str, ...], list[str]]:
    """Return the comments of a file, each with the key that follows it or is beside it."""
    document = read_document(path, name)
    data = document.data
    top = document.place(("translations",), key=True).span
    paths: dict[int, tuple[str, ...]] = {top.line if top else 0: ()}
    cards = data.get("translations") if isinstance(data, dict) else None
    for id_, texts in (cards if isinstance(cards, dict) else {}).items():
        for steps in ((id_,), *((id_, field) for field in (texts if isinstance(texts, dict) else {}))):
            span = document.place(("translations", *steps), key=True).span
            paths.setdefault(span.line if span else 0, tuple(map(str, steps)))
    found: dict[tuple[str, ...], list[str]] = {}
    for comment in document.comments():
        steps = paths[next((line for line in sorted(paths) if line >= comment.line), max(paths))]
        found.setdefault(steps, []).append(f"{'  ' * len(steps)}# {comment.text.strip()}")
    return found
