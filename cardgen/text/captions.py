"""What cards and sheets say besides their own texts, in other languages.

The words are in `cardgen/captions/de.txt`, and in the folder `captions` of a project.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span
from cardgen.language import plural_form, tag_and_fallbacks, with_decimal_sign
from cardgen.project.files import display_path, has_file
from cardgen.project.project import Project
from cardgen.source.document import Document, read_text

CAPTIONS_FOLDER = "captions"
_MOST_BYTES = 1 << 20
_SLOT = re.compile(r"<(n|x)>")
_SLOTS = {"n": r"(\d++(?:\.\d++)?+)", "x": r"(.+?)"}


class Captions:
    """The captions of a language, by their English words; by default none, so that all stays English."""

    def __init__(self, language: str = "", rows: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> None:
        # '' without captions, so that all is in English.
        self.language = language if rows else ""
        self._plain = {words: forms[-1] for words, forms in rows.items() if not _SLOT.search(words)}
        # Of several that match, the one with most words of its own counts.
        with_slots = sorted(filter(_SLOT.search, rows), key=lambda words: -len(_SLOT.sub("", words)))
        self._patterns = [(_pattern(words), _SLOT.findall(words), rows[words]) for words in with_slots]

    def translate(self, text: str) -> str:
        """Return a caption in the language, or as it is if it has no translation."""
        plain = self._plain.get(text)
        if plain is not None:
            return plain
        for pattern, slots, forms in self._patterns:
            if match := pattern.fullmatch(text):
                return self._filled(match.groups(), slots, forms)
        return text

    def page_word(self, text: str) -> str:
        """Return a word of a web page, which can have another meaning than the same word on a card."""
        key = f"page: {text}"
        found = self.translate(key)
        return found if found != key else self.translate(text)

    def number(self, text: str) -> str:
        """Return the text of a number as the language writes it."""
        return with_decimal_sign(text, self.language)

    def name(self, text: str) -> str:
        """Return the name of a kind or field, which the captions may have with a capital letter."""
        return self._plain.get(text) or self._plain.get(text[:1].upper() + text[1:], text)

    def _filled(self, values: tuple[str, ...], slots: list[str], forms: tuple[str, ...]) -> str:
        number = next((value for value, slot in zip(values, slots, strict=True) if slot == "n"), "")
        form = forms[min(plural_form(self.language, float(number)), len(forms) - 1)] if number else forms[-1]
        found = [self.number(value) if slot == "n" else value for value, slot in zip(values, slots, strict=True)]
        left = {slot: [each for each, own in zip(found, slots, strict=True) if own == slot] for slot in _SLOTS}
        return _SLOT.sub(lambda slot: left[slot[1]].pop(0) if left[slot[1]] else slot[0], form)


def _pattern(words: str) -> re.Pattern[str]:
    """Return the pattern of a caption, which takes a text that it does not match no longer than one that it does.

    Each `<x>` is as short as what follows it up to the next one allows, which is final: if the rest does not match
    then, no longer one would help.
    """
    head, *rest = re.split(r"(?=<x>)", words)
    groups = [_part(each) for each in rest]
    return re.compile(_part(head) + "".join(f"(?>{each})" for each in groups[:-1]) + "".join(groups[-1:]))


def _part(words: str) -> str:
    parts = _SLOT.split(words)
    return "".join(_SLOTS[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))


def load_captions(language: str, folders: Sequence[Path]) -> Captions:
    """Return the captions of a language in some folders, of which earlier ones have priority.

    Raises CardgenError for a file that cannot be read, and for a link out of the folder that contains theirs.
    """
    rows: dict[str, tuple[str, ...]] = {}
    for tag in reversed(tag_and_fallbacks(language)) if language else ():
        for folder in reversed(folders):
            path = folder / f"{tag}.txt"
            rows |= read_captions(path) if has_file(folder.parent, path) else {}
    return Captions(language, rows)


def captions_of(project: Project) -> Captions:
    """Return the captions of a project in the language in which its cards are printed."""
    return load_captions(project.language, project.folders(CAPTIONS_FOLDER))


def read_captions(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the forms of each caption in a file. Raises CardgenError for a line that is not understood."""
    name = display_path(path)
    text = read_text(path, name, _MOST_BYTES, "the file is too large")
    if isinstance(text, Document):
        raise CardgenError(*text.diagnostics)
    rows: dict[str, tuple[str, ...]] = {}
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        words, sign, translation = (part.strip() for part in line.partition(" = "))
        if not line.strip() or line.startswith("#"):
            continue
        # A text without a number has one form, in which ' ; ' is the punctuation of French.
        forms = tuple(form.strip() for form in translation.split(" ; ")) if "<n>" in words else (translation,)
        wrong = [form for form in forms if sorted(_SLOT.findall(form)) != sorted(_SLOT.findall(words))]
        fault = "" if sign and translation else "a caption must be written 'English = translation'"
        fault = fault or (f"'{wrong[0]}' must have the same <n> and <x> as '{words}'" if wrong else "")
        fault = fault or (f"a second translation of '{words}'" if words in rows else "")
        if fault:
            place = Place(name, Span(number, 1, number, len(line) + 1), line)
            problems.append(Diagnostic(Code.BAD_TRANSLATION, fault, place))
        rows[words] = forms
    if problems:
        raise CardgenError(*problems)
    return rows
