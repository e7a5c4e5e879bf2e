"""Tables of clauses, and the words that change their meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

from cardgen.grammar.lexer import Phrase, PhraseBook, phrase_book, tokenize
from cardgen.grammar.meaning import Template, parse_template

# Words that change what a rule says, so that no reading may skip one.

SIGNIFICANT = frozenset(
    (
        *("instead", "only", "also", "too", "again", "not", "never", "no", "non", "none", "cannot", "without"),
        *("one", "other", "others", "another", "any", "each", "every", "all", "both", "either", "neither", "half"),
        *("first", "second", "next", "last", "once", "twice", "single", "double"),
        *("if", "unless", "except", "when", "whenever", "while", "before", "after", "until", "may", "must"),
        *("up", "minimum", "maximum", "min", "max", "least", "most", "additional", "additionally", "extra", "further"),
    )
)


# The table of clauses of a game: a text file with meanings, their canonical forms, and other forms to read.

_SECTION = re.compile(r"\[(?P<name>[\w-]+)\]")
# Clauses of another symbol without the slot that they begin with: '[ellipsis] without part p:who = of=it'.
_WITHOUT = re.compile(
    r"\[(?P<name>[\w-]+)\] without (?P<source>[\w-]+) (?P<slot>\w+):(?P<symbol>\w+) = (?P<key>\w+)=(?P<meaning>.+)"
)
_FORM = re.compile(r"(?:(?P<mark>[=~])|@(?P<style>\w+)) +")
# The starts of comments, and of forms that are only read.
_COMMENT, _ONLY_READ = ("# ",), ("= ", "~ ")
_PIECE = re.compile(
    r"\{(?P<slot>\w+)(?::(?P<symbol>\w+))?\}|(?P<bracket>(?<!\\)[()\[\]|])|(?P<words>(?:\\.|[^{}()\[\]|\\])+)"
)
# Sections of words, besides those of clauses.
WORDS, PHRASES, FILLERS, JOINTS = "words", "phrases", "fillers", "joints"


class Slot(NamedTuple):
    """A place in a form for a clause of a symbol."""

    name: str
    symbol: str


Sequence = tuple[str | Slot, ...]


class Form(NamedTuple):
    """A form of a clause: alternative sequences of words and slots.

    A `style` is '' or the name of a variant that is written in its place. `is_loose` marks a form that may mean
    something slightly different, and `is_canonical` one that is written.
    """

    text: str
    sequences: tuple[Sequence, ...]
    is_canonical: bool = False
    is_loose: bool = False
    style: str = ""


class Clause(NamedTuple):
    """A meaning and its forms."""

    symbol: str
    meaning: Template
    forms: tuple[Form, ...]

    def canonical(self, style: str) -> Form | None:
        """Return the form that is written in a style, or in none."""
        written = [form for form in self.forms if form.is_canonical]
        return next((form for form in written if form.style == style), next((f for f in written if not f.style), None))


class ClauseTable(NamedTuple):
    """The clauses by symbol, in order, and the sections of words."""

    clauses: dict[str, tuple[Clause, ...]]
    words: dict[str, str]
    fillers: frozenset[str]
    joints: frozenset[str]
    phrases: PhraseBook


def read_table(*paths: Path) -> ClauseTable:
    """Read tables of clauses; later files continue earlier ones.

    Raises ValueError for a malformed line, and for a skipped word that changes what a sentence means.
    """
    clauses: dict[str, list[Clause]] = {}
    words: dict[str, str] = {}
    skipped: dict[str, set[str]] = {FILLERS: set(), JOINTS: set()}
    phrases: list[str] = []
    for path in paths:
        for section, head, forms in _entries(path):
            if section == WORDS:
                lemma, _, others = head.partition(":")
                words |= dict.fromkeys(others.split(), lemma)
            elif section == PHRASES:
                phrases.append(head)
            elif section in skipped:
                skipped[section] |= _skipped_words(path, section, head)
            else:
                clauses.setdefault(section, []).append(Clause(section, parse_template(head), tuple(forms)))
    for path in paths:
        for match in filter(None, map(_WITHOUT.fullmatch, path.read_text(encoding="utf-8").splitlines())):
            clauses.setdefault(match["name"], []).extend(_without_slot(clauses[match["source"]], match))
    found = {symbol: tuple(each) for symbol, each in clauses.items()}
    book = phrase_book([phrase for line in phrases for phrase in _phrases(line, words)])
    return ClauseTable(found, words, frozenset(skipped[FILLERS]), frozenset(skipped[JOINTS]), book)


def _skipped_words(path: Path, section: str, line: str) -> set[str]:
    words = set(line.split())
    if significant := words & SIGNIFICANT:
        raise ValueError(f"{path.name}: [{section}] contains '{min(significant)}', which changes what a sentence means")
    return words


def _without_slot(clauses: list[Clause], rule: re.Match[str]) -> Iterator[Clause]:
    """Yield the clauses whose forms begin with a slot, without it, and with a fixed meaning in its place."""
    first = Slot(rule["slot"], rule["symbol"])
    for clause in clauses:
        kept = [item for item in clause.meaning.items if not (item.is_slot and item.value == first.name)]
        forms = [
            form._replace(text="", sequences=rests, is_canonical=False, style="")
            for form in clause.forms
            if (rests := tuple(each[1:] for each in form.sequences if each[:1] == (first,) and len(each) > 1))
        ]
        if len(kept) < len(clause.meaning.items) and forms:
            others = parse_template(f"{rule['key']}={rule['meaning']}").items
            yield Clause(rule["name"], Template((*kept, *others)), tuple(forms))


def read_written_clauses(*paths: Path) -> Mapping[str, tuple[Clause, ...]]:
    """Read the clauses of tables with the forms that are written, and without those that are only read.

    Most runs write sentences and read none; the other forms take ten times as long. Raises ValueError as `read_table`.
    """
    clauses: dict[str, list[Clause]] = {}
    for path in paths:
        for section, head, forms in _entries(path, skipped=(*_COMMENT, *_ONLY_READ)):
            if forms:
                clauses.setdefault(section, []).append(Clause(section, parse_template(head), tuple(forms)))
    return {symbol: tuple(each) for symbol, each in clauses.items()}


def _phrases(line: str, words: Mapping[str, str]) -> Iterator[Phrase]:
    """Yield the phrases of a line such as 'when: each time | every time'."""
    meaning, _, others = line.partition(":")
    for text in others.split("|"):
        phrase = Phrase(_words(text, words), _words(meaning, words))
        if not phrase.words:
            raise ValueError(f"'{line}' is not a valid phrase; write 'meaning: phrase | phrase'")
        yield phrase


def _words(text: str, words: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(token.word for token in tokenize(text, words))


def _entries(path: Path, skipped: tuple[str, ...] = _COMMENT) -> Iterator[tuple[str, str, list[Form]]]:
    """Yield the section of each entry, its first line, and its forms; lines with a `skipped` start are left out."""
    section, head, forms = "", "", list[Form]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith(skipped) or _WITHOUT.fullmatch(line):
            continue
        try:
            if match := _SECTION.fullmatch(line):
                if head:
                    yield section, head, forms
                section, head, forms = match["name"], "", []
            elif section in (WORDS, PHRASES, FILLERS, JOINTS):
                yield section, text, []
            elif line.startswith(":"):
                if head:
                    yield section, head, forms
                head, forms = line[1:].strip() or " ", []
            else:
                forms.append(parse_form(text))
                _require_slots(forms[-1], parse_template(head))
        except ValueError as error:
            raise ValueError(f"{path.name}:{number}: {error}") from error
    if head:
        yield section, head, forms


def _require_slots(form: Form, meaning: Template) -> None:
    for sequence in form.sequences:
        missing = meaning.slots - {element.name for element in sequence if isinstance(element, Slot)}
        if missing:
            raise ValueError(f"the form lacks the slot '{min(missing)}' of its meaning")


def parse_form(text: str) -> Form:
    """Parse a line with a form. Raises ValueError for unbalanced brackets."""
    match = _FORM.match(text)
    body = text[match.end() :] if match else text
    mark, style = (match["mark"], match["style"] or "") if match else (None, "")
    pieces = list(_PIECE.finditer(body))
    if "".join(piece[0] for piece in pieces) != body:
        raise ValueError(f"'{body}' is not a valid form")
    sequences, rest = _alternatives(pieces, 0)
    if rest != len(pieces):
        raise ValueError(f"unbalanced bracket in '{body}'")
    written = re.sub(r"\\(.)", r"\1", body)
    return Form(written, tuple(dict.fromkeys(sequences)), mark is None, mark == "~", style)


def _alternatives(pieces: list[re.Match[str]], index: int) -> tuple[list[Sequence], int]:
    """Return the sequences up to a closing bracket, and the index of that bracket."""
    options: list[Sequence] = []
    factors: list[list[Sequence]] = []
    while index < len(pieces) and pieces[index]["bracket"] not in (")", "]"):
        piece = pieces[index]
        if piece["bracket"] == "|":
            options += map(_join, product(*factors))
            factors = []
        elif piece["bracket"]:
            inner, index = _alternatives(pieces, index + 1)
            if index == len(pieces) or pieces[index]["bracket"] != {"(": ")", "[": "]"}[piece["bracket"]]:
                raise ValueError("unbalanced bracket")
            factors.append([*inner, ()] if piece["bracket"] == "[" else inner)
        elif piece["slot"]:
            factors.append([(Slot(piece["slot"], piece["symbol"] or piece["slot"]),)])
        else:
            factors.append([(re.sub(r"\\(.)", r"\1", piece["words"]),)])
        index += 1
    return [*options, *map(_join, product(*factors))], index


def _join(parts: tuple[Sequence, ...]) -> Sequence:
    """Return the elements of all parts, with words next to each other joined: 'Wound' and 's'."""
    joined: list[str | Slot] = []
    for element in (element for part in parts for element in part):
        if isinstance(element, str) and joined and isinstance(joined[-1], str):
            joined[-1] += element
        else:
            joined.append(element)
    return tuple(joined)
