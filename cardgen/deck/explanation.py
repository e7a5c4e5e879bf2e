"""What is understood of the texts of cards, sentence by sentence, and those texts as effects in the files of cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.checking.check import RULES_KEY, FreeText
from cardgen.checking.locate import Edit, FixedFile, diff, edited_files, is_editable
from cardgen.checking.runner import walk_parts
from cardgen.deck.deck import load_deck, load_reader, rules_of
from cardgen.grammar.reading import Level, SentenceReading, TextReader, split_sentences
from cardgen.model.card import Entry
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime import atomic_write
from cardgen.runtime.workspace import Workspace
from cardgen.source import KeyPath
from cardgen.source.composer import CharRange, Node
from cardgen.validation.base import Model

# The commonest clauses that were not read are listed up to this number.
MOST_UNREAD = 15


class TextExplanation(NamedTuple):
    """A text of a card or a part of it, as it was read.

    `route` leads to the part. `is_own` is true for a text of the author, and false for one made from effects. `label`
    is the name of the part, or '' for the card itself. In a game without a grammar, `route` leads to the text, and
    `label` is its key.
    """

    entry: Entry
    route: KeyPath
    part: Model
    text: str
    is_own: bool
    sentences: tuple[SentenceReading, ...]
    reader: TextReader
    label: str = ""

    def referee(self, sentence: SentenceReading) -> str:
        """Return what the referee does with a sentence."""
        return self.reader.referee(self.part, sentence)

    def as_data(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "key": ".".join(map(str, self.route)),
            "text": self.text,
            "own_text": self.is_own,
            "sentences": [self._sentence_data(sentence) for sentence in self.sentences],
        }

    def _sentence_data(self, sentence: SentenceReading) -> dict[str, object]:
        return {
            "text": sentence.text,
            "start": sentence.start,
            "end": sentence.end,
            "level": sentence.level.value,
            "read_as": sentence.canonical,
            "reason": sentence.reason,
            "referee": self.referee(sentence),
            "clauses": [clause._asdict() for clause in sentence.clauses],
        }


class Coverage(NamedTuple):
    """Sentences by how they were read, words in clauses that were, and the commonest clauses that were not."""

    sentences: Mapping[Level, int]
    words: int
    words_read: int
    unread: tuple[tuple[str, int], ...]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "sentences": sum(self.sentences.values()),
            **{level.name.lower(): self.sentences.get(level, 0) for level in Level},
            "words": self.words,
            "words_read": self.words_read,
            "unread_clauses": [{"text": text, "count": count} for text, count in self.unread],
        }


def explain_cards(
    paths: Sequence[Path] = (), only: Sequence[str] = (), workspace: Workspace | None = None
) -> tuple[TextExplanation, ...]:
    """Return the texts of the cards of some files, by default of the project, that `only` selects.

    The texts of rules in games without a grammar are not read. Raises CardgenError for
    problems in the files, and if nothing matches `only`.
    """
    cards = load_deck(paths, only, workspace=workspace)[1].cards
    return tuple(text for entry in cards for text in (*explanations([entry]), *_texts_without_grammar(entry)))


def explanations(entries: Sequence[Entry]) -> Iterator[TextExplanation]:
    """Yield the texts of cards whose games read texts; those that effects could replace, or that effects made."""
    for entry in entries:
        game = rules_of(entry)
        reader = load_reader(game)
        if reader is None:
            continue
        for part, route, _ in walk_parts(entry.card):
            if not isinstance(part, Model):
                continue
            own = getattr(part, "text", None)
            text = own or game.describe(part)
            if text and (sentences := reader.read(part, text)):
                label = getattr(part, "name", "") if route else ""
                yield TextExplanation(entry, route, part, text, bool(own), sentences, reader, label)


def unread(texts: Iterable[TextExplanation]) -> tuple[TextExplanation, ...]:
    """Return the sentences of authors that are not read, in games with a grammar."""
    own = (text for text in texts if text.is_own and rules_of(text.entry).reader)
    only = (
        text._replace(sentences=tuple([each for each in text.sentences if each.level == Level.UNREAD])) for text in own
    )
    return tuple([text for text in only if text.sentences])


def _texts_without_grammar(entry: Entry) -> Iterator[TextExplanation]:
    """Yield the texts of rules of a card, if its game has no grammar that reads them."""
    game = rules_of(entry)
    if game.reader:
        return
    for text, route, ancestors in walk_parts(entry.card):
        if isinstance(text, FreeText) and text.key in (RULES_KEY, *game.text_effects):
            spans = split_sentences(text.text)
            part = ancestors[-1]
            sentences = tuple(
                [
                    SentenceReading(*span, level=Level.UNREAD, reason=_uncompared(game, part, text.text, span.start))
                    for span in spans
                ]
            )
            reader = TextReader(lambda *_: (), lambda *_: None, partial(_use_without_grammar, game, text.key))
            label = ".".join(map(str, route))
            yield TextExplanation(entry, route, part, text.text, True, sentences, reader, label)


def _uncompared(game: Ruleset, part: Model, text: str, start: int) -> str:
    """Return why no effect is made of a sentence, and whether checks compare it with its card."""
    if game.claims_of is None:
        return f"{game.name} has no grammar for texts"
    claims, unread = game.claims_of(part, text)
    sentence = next((each for each in unread if each.start == start), None)
    if sentence is None:
        return "no effect is made of it; 'cardgen check' compares what it says with the card"
    end = start + len(sentence.text)
    words = [text[claim.start : claim.end] for claim in claims if start <= claim.start < end]
    if words:
        named = ", ".join(f"'{each}'" for each in words)
        return f"no effect is made of it; 'cardgen check' compares only {named} with the card"
    return "no effect is made of it; 'cardgen check' compares nothing of it with the card"


def _use_without_grammar(game: Ruleset, key: str, part: Model, _: SentenceReading) -> str:
    """Return what the referee does with a text that is not read."""
    if key not in game.text_effects:
        return "reads only the other fields of the card"
    field = game.text_effects[key]
    effects = [f"{each.name}: {each.line}" for each in getattr(part, field, ())]
    return f"plays '{field}' in a battle: {'; '.join(effects)}" if effects else "leaves it to the players"


def coverage(texts: Sequence[TextExplanation]) -> Coverage:
    """Return how much of some texts is understood."""
    sentences = [sentence for text in texts for sentence in text.sentences]
    words = {False: 0, True: 0}
    unread: Counter[str] = Counter()
    for sentence in sentences:
        is_read = sentence.level != Level.UNREAD
        for clause in sentence.clauses:
            words[is_read or clause.is_read] += len(clause.text.split())
            if not (is_read or clause.is_read):
                unread[" ".join(clause.text.lower().split())] += 1
        if not sentence.clauses:
            words[is_read] += len(sentence.text.split())
    levels = Counter(sentence.level for sentence in sentences)
    commonest = sorted(unread.items(), key=lambda item: (-item[1], item[0]))[:MOST_UNREAD]
    return Coverage(levels, sum(words.values()), words[True], tuple(commonest))


# Within the text between a key and its scalar, which has no other '#'.
_COMMENT = re.compile(r"(?<!\S)#.*")


class StructureFix(NamedTuple):
    """A text that effects replace: its card, the characters of the file, and what is written instead."""

    text: TextExplanation
    char_range: CharRange
    replacement: str


def structure_fixes(texts: Iterable[TextExplanation], *, with_loose: bool) -> tuple[StructureFix, ...]:
    """Return the fixes for the texts that were read as a whole; with `with_loose`, also for those read loosely.

    Texts in tables, in files that other programs write, and beside effects are left out, and so are those under
    'defaults': a card with a text of its own would inherit the effects as well.
    """
    levels = {Level.READ, Level.LOOSELY} if with_loose else {Level.READ}
    candidates = (text for text in texts if text.is_own and not getattr(text.part, "effects", None))
    fixes = (_fix(text) for text in candidates if {sentence.level for sentence in text.sentences} <= levels)
    return tuple(fix for fix in fixes if fix)


def _fix(text: TextExplanation) -> StructureFix | None:
    values = text.reader.values(text.part, text.sentences)
    key_path = text.entry.source_map.source_path((*text.route, "text"))
    parent, node = None, text.entry.document.root
    for step in key_path:
        parent, node = node, node.child(step) if node else None
    if values is None or node is None or parent is None or key_path[-1:] != ("text",) or key_path[0] == "defaults":
        return None
    if not is_editable(text.entry.place((*text.route, "text"))):
        return None
    kept = {key: value for key, value in values.items() if getattr(text.part, key, None) != value}
    if any(getattr(text.part, key, None) for key in kept):
        return None
    source = text.entry.document.line_index.text
    # Whether a key begins with '?', and its value with a ':' of its own.
    line_start = source.rfind("\n", 0, node.key_range[0]) + 1
    is_explicit = source[line_start : node.key_range[0]].rstrip().endswith("?")
    if is_explicit:
        return None
    start = node.key_range[0]
    end = start + len(source[start : node.value_range[1]].rstrip())
    return StructureFix(
        text, (start, end), _replacement(source, node, kept, is_flow=source[parent.value_range[0]] == "{")
    )


def _replacement(source: str, node: Node, values: Mapping[str, object], *, is_flow: bool) -> str:
    """Return what is written instead of a key and its text, with the comments between them."""
    start, comments = node.key_range[0], _inner_comments(source, node)
    indent = start - (source.rfind("\n", 0, start) + 1)
    keys = _keys(values, is_flow=is_flow, indent=indent)
    if not is_flow:
        return _with_comments(keys, comments, indent)
    gap = " " if comments and not source[start - 1].isspace() else ""
    line = source[source.rfind("\n", 0, node.value_range[0]) + 1 :]
    return gap + _with_comments(keys, comments, len(line) - len(line.lstrip(" ")))


def _inner_comments(source: str, node: Node) -> list[str]:
    """Return the comments between a key and its scalar, also those behind the mark of a block scalar."""
    key_end, start = node.key_range[1], node.value_range[0]
    if source[start : start + 1] in ("|", ">"):
        start = source.find("\n", start)
    return [match[0].rstrip() for match in _COMMENT.finditer(source[key_end:start])]


def _with_comments(keys: str, comments: Sequence[str], indent: int) -> str:
    """Return keys with comments: a single one behind the key of a list, others on lines of their own before it."""
    first, newline, rest = keys.partition("\n")
    if len(comments) == 1 and newline:
        return f"{first}  {comments[0]}\n{rest}"
    return "".join(f"{comment}\n{' ' * indent}" for comment in comments) + keys


def _keys(values: Mapping[str, object], *, is_flow: bool, indent: int) -> str:
    """Return keys in flow style on one line, or in block style with a line for each item of a list."""
    if is_flow:
        return ", ".join(f"{key}: {flow_style(value)}" for key, value in values.items())
    margin = " " * indent
    lines: list[str] = []
    for key, value in values.items():
        if isinstance(value, list):
            lines += [f"{key}:", *(f"{margin}  - {flow_style(item)}" for item in value)]
        else:
            lines.append(f"{key}: {flow_style(value)}")
    return lines[0] + "".join(f"\n{line if line.startswith(' ') else margin + line}" for line in lines[1:])


def flow_style(value: object) -> str:
    """Return a value in the flow style of YAML."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_scalar(key)}: {flow_style(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(flow_style, value))}]"
    return _scalar(value)


_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    is_plain = isinstance(value, int) or (text.replace("_", "").isalpha() and text.lower() not in _WORDS_OF_YAML)
    return text if is_plain else f"'{text.replace(chr(39), chr(39) * 2)}'"


def plan_files(fixes: Sequence[StructureFix]) -> Mapping[Path, FixedFile]:
    """Return the old and new text of each file; nothing is written."""
    by_file: dict[str, list[Edit]] = {}
    for fix in fixes:
        document = fix.text.entry.document
        span = document.line_index.place(*fix.char_range).span
        if span:
            by_file.setdefault(document.file, []).append((span, fix.replacement))
    return edited_files(by_file)


def write_files(files: Mapping[Path, FixedFile]) -> None:
    """Write the new texts."""
    for path, file in files.items():
        atomic_write.write(path, file.after.encode("utf-8"))


def files_diff(files: Mapping[Path, FixedFile]) -> str:
    """Return what would change, as a unified diff."""
    return "".join(diff(path, files[path]) for path in sorted(files))


def as_data(texts: Iterable[TextExplanation]) -> list[dict[str, object]]:
    """Return the texts of each card as plain data for JSON."""
    by_card = groupby(texts, key=lambda text: text.entry)
    return [
        {
            "id": entry.card.id,
            "name": entry.card.name,
            "kind": entry.kind,
            "place": str(entry.place()),
            "texts": [text.as_data() for text in group],
        }
        for entry, group in by_card
    ]
