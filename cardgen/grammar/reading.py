"""Readings of texts, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from cardgen.grammar.clauses import SIGNIFICANT, Meaning, Token
from cardgen.grammar.grammar import Chart, Grammar, Match, TooComplexError
from cardgen.validation.base import Model

# The form of a grammar that is nearest to words that were not read.

_MIN_SIMILARITY, _MIN_SHARED = 0.4, 2
_MARKS = re.compile("[¸^]")
_PLACEHOLDER = re.compile(r"\{(?:\w+:)?(\w+)(?:@\w+)?\}")


def nearest_form(grammar: Grammar, tokens: tuple[Token, ...]) -> str:
    """Return the written form that shares the most words with some tokens, or ''; slots are shown as '…'."""
    words = {token.word for token in tokens if token.word.isalpha()} - _COMMON
    best, similarity = "", _MIN_SIMILARITY
    for text, others in _forms(grammar):
        shared = len(words & others)
        score = 2 * shared / (len(words) + len(others)) if shared >= _MIN_SHARED else 0
        if score > similarity:
            best, similarity = text, score
    return best


@lru_cache(maxsize=8)
def _forms(grammar: Grammar) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(_written(grammar))


def _written(grammar: Grammar) -> Iterator[tuple[str, frozenset[str]]]:
    for clauses in grammar.table.clauses.values():
        for clause in clauses:
            for form in clause.forms:
                text = _PLACEHOLDER.sub("…", _MARKS.sub("", form.text).replace("~", " ")).removeprefix("… ")
                words = frozenset(token.word for token in grammar.tokenize(_PLACEHOLDER.sub("", form.text)))
                alphabetic = frozenset(word for word in words if word.isalpha()) - _COMMON
                if form.is_canonical and len(alphabetic) >= _MIN_SHARED:
                    yield text, alphabetic


# Sentences of a text, with their places, and the names that authors put before them.

_END = re.compile(r"(?<![.!?])[.!?]++[\"”’')*]*+(?=\s|$)|\n[ \t\r]*+\n")
# A name in italics, which can contain anything.
_ITALIC = re.compile(r"(?<![\w*])\*(?![\s*])(?:\\.|[^\\*])+(?<!\s)\*(?![\w*])")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|approx|no|max|min)\.$", re.IGNORECASE)
_NAME = re.compile(
    r"\s*(?P<name>[\w’'*][\w’'* !-]{0,39}?)\s*(?P<mark>\s(?:[-–—]+>?|=>?|→)\s|[:–—.!…]+\s|,\s|(?<=\s)(?=\())\s*(?=\S)"
)
# Words that begin names, as in 'Last Stand' and 'Half-light'.
_OF_NAMES = frozenset(
    {"first", "second", "next", "last", "one", "half", "up", "before", "after", "further", "too", "min", "max"}
)
# Words that say something about a rule, so that no name is made of them.
_MEANINGFUL = (SIGNIFICANT - _OF_NAMES) | {
    *("enemy", "enemies", "friend", "friends", "friendly", "foe", "foes", "triple", "quad", "use", "uses", "per"),
}
_SMALL = frozenset({"of", "the", "and", "a", "an", "in", "to", "for", "as", "on", "by", "with", "at", "from"})
# Words that sentences share whatever they are about.
_COMMON = _SMALL | {"is", "be", "has", "have", "it", "its", "this", "that", "if", "or", "up", "when", "who"}
_MAX_NAME_WORDS = 5
# More than any card has room for.
_MOST_SENTENCES = 200


class SentenceSpan(NamedTuple):
    """A sentence, and the index of its first character in the text."""

    text: str
    start: int


def split_sentences(text: str) -> Iterator[SentenceSpan]:
    """Yield the sentences of a text, without the space around them.

    The last one of an enormous text is everything that follows, so that reading it takes a bounded time.
    """
    start = number = 0
    for match in _END.finditer(_ITALIC.sub(lambda name: "x" * len(name[0]), text)):
        if _ABBREVIATION.search(text[start : match.end()]):
            continue
        number += 1
        if number == _MOST_SENTENCES:
            break
        yield from _trim(text, start, match.end())
        start = match.end()
    yield from _trim(text, start, len(text))


def _trim(text: str, start: int, end: int) -> Iterator[SentenceSpan]:
    piece = text[start:end]
    if stripped := piece.strip():
        yield SentenceSpan(stripped, start + len(piece) - len(piece.lstrip()))


def name_end(sentence: str, is_strange: Callable[[str], bool] | None = None) -> int:
    """Return where a sentence goes on after a name, as in 'Stone Skin - add 1', or 0 if it begins without one.

    `is_strange` says that no rule has a word. Names in lower case have only such words: 'Lucky coin, re-roll 1'.
    """
    match = _NAME.match(sentence)
    if not match:
        return 0
    words = _words(match["name"])
    strange = [word for word in words if is_strange(word)] if is_strange else []
    is_clear = not is_strange or bool(strange) or (len(words) > 1 and match["mark"].strip() not in ("", ","))
    return match.end() if (is_clear and is_name(match["name"])) or _is_title(words, strange) else 0


def _is_title(words: list[str], strange: list[str]) -> bool:
    """Return whether some words begin with a capital, and a rule can be made of none of them."""
    is_short = 0 < len(words) <= _MAX_NAME_WORDS and words[0][0].isupper() and words[0] in strange
    return is_short and all(word in _SMALL or word in strange for word in words)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:[’'][^\W_]+)?", text)


def is_name(text: str) -> bool:
    """Return whether some words look like a name: few, capitalized, and without words that rules are made of."""
    words = _words(text)
    if not 0 < len(words) <= _MAX_NAME_WORDS or any(word.lower() in _MEANINGFUL or word.isdigit() for word in words):
        return False
    return all(word[0].isupper() or word in _SMALL for word in words) and words[0][0].isupper()


# Sentences read with a grammar: exactly, loosely, or not, with the clauses that were read.

# The symbols of the clauses that a sentence consists of; at most one of them leaves out its subject.
PART, ELLIPSIS = "part", "ellipsis"
_MAX_ORDERS = 1_000
# Meanings of an unclear sentence that are shown.
_MOST_MEANINGS = 2


class Level(StrEnum):
    """How a sentence was read: with exactly one meaning, with one that needs a look, or not."""

    READ = "read"
    LOOSELY = "read loosely"
    UNREAD = "not read"


class Part(NamedTuple):
    """A clause of a sentence: its tokens, its meaning, and whether a loose form was needed."""

    start: int
    end: int
    meaning: Meaning
    is_loose: bool


class Interpretation(NamedTuple):
    """What the parts of a sentence mean together; `value` can be compared and hashed."""

    value: Hashable
    is_loose: bool = False


class UnclearError(ValueError):
    """Clauses that do not go together."""


def unclear_if(is_unclear: object, why: str) -> None:
    """Raise UnclearError if clauses do not go together: then they do not mean anything in this order."""
    if is_unclear:
        raise UnclearError(why)


class ClauseSpan(NamedTuple):
    """Some characters of a text that were read as a clause, or that were not, with the nearest form."""

    text: str
    start: int
    end: int
    is_read: bool
    nearest: str = ""


class SentenceReading(NamedTuple):
    """A sentence as it was read.

    `start` is its place in the text. `value` is what the game made of it, or None; `canonical` is the same in the words
    of the game. `reason` says why it was not read, or what is loose. `find_clauses` finds the clauses, which can take
    longer than reading the sentence.
    """

    text: str
    start: int
    level: Level
    value: Any = None
    canonical: str = ""
    find_clauses: Callable[[], tuple[ClauseSpan, ...]] = tuple
    reason: str = ""

    @property
    def clauses(self) -> tuple[ClauseSpan, ...]:
        """The clauses that were read, and what is between them."""
        return self.find_clauses()

    @property
    def end(self) -> int:
        """The index after its last character in the text."""
        return self.start + len(self.text)


Assemble = Callable[[tuple[Part, ...], tuple[Token, ...]], Iterable[Interpretation]]


def read_sentence(
    grammar: Grammar,
    sentence: SentenceSpan,
    assemble: Assemble,
    after_name: Callable[[str], int] = name_end,
    write: Callable[[Any], str] = lambda _: "",
) -> SentenceReading:
    """Read a sentence.

    It is cut into clauses in every way that leaves no word over. `assemble` yields what each way means; one that raises
    UnclearError, or the ValidationError of a model, means nothing. The sentence is read if all of them mean the same.
    `after_name` returns where a sentence goes on after a name, or 0, and `write` a meaning in the words of the game.
    """
    skipped = after_name(sentence.text)
    reading = _read(grammar, sentence, 0, assemble, write)
    if reading.level == Level.UNREAD and skipped:
        return _read(grammar, sentence, skipped, assemble, write)
    return reading


def _without_close(text: str) -> str:
    """Return a sentence without what closes it: spaces, dots, exclamation marks, and the marks of bold text.

    Its last word may be a name such as *Stone Skin*.
    """
    end = len(text)
    while end and (text[end - 1] in " .!" or text.endswith("**", 0, end)):
        end -= 1 if text[end - 1] in " .!" else 2
    return text[:end]


def _read(
    grammar: Grammar, sentence: SentenceSpan, skipped: int, assemble: Assemble, write: Callable[[Any], str]
) -> SentenceReading:
    text, start = sentence
    unread = SentenceReading(text, start, Level.UNREAD)
    tokens = tuple(
        token._replace(start=token.start + skipped, end=token.end + skipped)
        for token in grammar.tokenize(_without_close(text[skipped:]))
    )
    if not tokens:
        return unread._replace(reason="the sentence is too long" if text else "")
    chart = grammar.chart(tokens)
    joints = grammar.table.joints | grammar.table.fillers
    try:
        values, parts, reason = _interpretations(chart, joints, assemble)
        if len(values) == 1:
            [(value, is_loose)] = values.items()
            level = Level.LOOSELY if is_loose else Level.READ
            spans = tuple([_span(grammar, chart, sentence, part.start, part.end, is_read=True) for part in parts])
            return unread._replace(level=level, value=value, canonical=write(value), find_clauses=lambda: spans)
        if values:
            written = [*dict.fromkeys(filter(None, map(write, values)))][:_MOST_MEANINGS]
            shown = f": {' / '.join(written)}" if len(written) > 1 else ""
            reason = f"it can mean {len(values)} different things{shown}"
        return unread._replace(find_clauses=lambda: _spans(grammar, tokens, sentence), reason=reason)
    except TooComplexError as error:
        return unread._replace(reason=str(error))


def _interpretations(
    chart: Chart, joints: frozenset[str], assemble: Assemble
) -> tuple[dict[Hashable, bool], tuple[Part, ...], str]:
    """Return what the sentence can mean, for each meaning whether it was only read loosely, and the parts of one.

    Without a meaning, a reason follows if each word is part of a clause.
    """
    values: dict[Hashable, bool] = {}
    errors: list[ValueError] = []
    number = -1
    first: tuple[Part, ...] = ()
    for number, parts in enumerate(_orders(chart, joints, 0)):
        if number >= _MAX_ORDERS:
            raise TooComplexError("the sentence can be divided in too many ways")
        try:
            for value, is_loose in assemble(parts, chart.tokens):
                loose = is_loose or any(part.is_loose for part in parts)
                values[value] = loose and values.get(value, True)
                first = first or parts
        except (UnclearError, ValidationError) as error:
            errors.append(error)
    return values, first, "" if values or number < 0 else _reason(errors)


def _reason(errors: Sequence[ValueError]) -> str:
    """Return why clauses mean nothing together: the limit that a value breaks, or else what is unclear."""
    for error in errors:
        for each in error.errors() if isinstance(error, ValidationError) else ():
            if "code" in each.get("ctx", {}):
                keys = [step for step in each["loc"] if isinstance(step, str) and step.isidentifier()]
                return " ".join([*(f"'{key}'" for key in keys[-1:]), each["msg"]])
    unclear = next((str(error) for error in errors if isinstance(error, UnclearError)), "")
    return f"unclear: {unclear}" if unclear else "its clauses do not go together"


def _orders(chart: Chart, joints: frozenset[str], start: int) -> Iterator[tuple[Part, ...]]:
    """Yield the ways to divide the rest of a sentence into parts."""
    starts = _starts(chart, joints, start)
    if starts[-1] == len(chart.tokens):
        whole = _divisible(chart, joints, (PART,), frozenset(), starts)
        either = _divisible(chart, joints, (PART, ELLIPSIS), whole, starts)
        yield from _divide(chart, joints, (either, whole), start, 0)


def _starts(chart: Chart, joints: frozenset[str], first: int) -> list[int]:
    """Return the tokens at which a part can begin, or the sentence end, if all before it are parts; in order."""
    reached = {first}
    for start in range(first, len(chart.tokens)):
        if start in reached:
            reached.update(match.end for match in _matches(chart, start))
            if chart.tokens[start].word in joints:
                reached.add(start + 1)
    return sorted(reached)


def _divide(
    chart: Chart, joints: frozenset[str], divisible: tuple[frozenset[int], ...], start: int, ellipses: int
) -> Iterator[tuple[Part, ...]]:
    """Yield the divisions from a token on, after a number of clauses without a subject; none of them is a dead end."""
    if start == len(chart.tokens):
        yield ()
        return
    if chart.tokens[start].word in joints and start + 1 in divisible[ellipses]:
        yield from _divide(chart, joints, divisible, start + 1, ellipses)
    for count, symbol in enumerate((PART, ELLIPSIS)[: 2 - ellipses], start=ellipses):
        for match in chart.matches(symbol, start):
            if match.end in divisible[count] and match.end > start:
                part = Part(start, match.end, match.meaning, match.is_loose)
                yield from ((part, *others) for others in _divide(chart, joints, divisible, match.end, count))


def _matches(chart: Chart, start: int) -> tuple[Match, ...]:
    return (*chart.matches(PART, start), *chart.matches(ELLIPSIS, start))


def _divisible(
    chart: Chart,
    joints: frozenset[str],
    symbols: tuple[str, ...],
    after_ellipsis: frozenset[int],
    starts: Sequence[int],
) -> frozenset[int]:
    """Return the starts from which the rest can be divided into clauses of some symbols, one ellipsis at most."""
    good = {len(chart.tokens)}
    for start in reversed(starts[:-1]):
        is_joint = chart.tokens[start].word in joints and start + 1 in good
        if is_joint or any(
            match.end in (good if symbol == PART else after_ellipsis)
            for symbol in symbols
            for match in chart.matches(symbol, start)
            if match.end > start
        ):
            good.add(start)
    return frozenset(good)


def _spans(grammar: Grammar, tokens: tuple[Token, ...], sentence: SentenceSpan) -> tuple[ClauseSpan, ...]:
    """Return the clauses that cover most of the sentence, and the gaps between them."""
    chart = grammar.chart(tokens)
    try:
        pieces = _cover(chart, grammar.table.joints | grammar.table.fillers)
    except TooComplexError:
        return ()
    return tuple(_span(grammar, chart, sentence, start, end, is_read=is_read) for start, end, is_read in pieces)


def _cover(chart: Chart, joints: frozenset[str]) -> list[tuple[int, int, bool]]:
    """Return the tokens of the clauses and gaps, chosen so that the fewest tokens are left over."""
    size = len(chart.tokens)
    # For each token: what is left over from there on, the pieces, and the clause or gap that begins there.
    best: list[tuple[int, int, int, bool]] = [(0, 0, size, True)] * (size + 1)
    for start in range(size - 1, -1, -1):
        is_joint = chart.tokens[start].word in joints
        options = [(best[start + 1][0] + (not is_joint), best[start + 1][1], start + 1, False)]
        ends = {match.end for match in _matches(chart, start) if match.end > start}
        options += [(best[end][0], best[end][1] + 1, end, True) for end in ends]
        best[start] = min(options, key=lambda option: option[:2])
    pieces: list[tuple[int, int, bool]] = []
    start = 0
    while start < len(chart.tokens):
        _, _, end, is_read = best[start]
        if not is_read and chart.tokens[start].word in joints and not (pieces and not pieces[-1][2]):
            start = end
            continue
        if pieces and not is_read and not pieces[-1][2] and pieces[-1][1] == start:
            pieces[-1] = (pieces[-1][0], end, False)
        else:
            pieces.append((start, end, is_read))
        start = end
    return pieces


def _span(grammar: Grammar, chart: Chart, sentence: SentenceSpan, start: int, end: int, *, is_read: bool) -> ClauseSpan:
    first, last = chart.tokens[start].start, chart.tokens[end - 1].end
    nearest = "" if is_read else nearest_form(grammar, chart.tokens[start:end])
    return ClauseSpan(sentence.text[first:last], sentence.start + first, sentence.start + last, is_read, nearest)


# What a game offers to read its card texts.


class TextReader(NamedTuple):
    """The functions that read the texts of a game's cards.

    `read` takes a card, or a part of one, and a text of it, and returns its sentences; () if no effects can replace the
    text. `values` takes the same thing and its sentences, and returns the keys of the card file that say the same as
    the text; None if there are none. `referee` takes the thing and a sentence that was read, and returns what the
    referee does with it, as a sentence. `models` takes a sentence and returns the models that the game's checks
    look at. `grammar` takes the class of a card or a part and returns the grammar of its texts, or None; editors offer
    its clauses while a text is written.
    """

    read: Callable[[Model, str], tuple[SentenceReading, ...]]
    values: Callable[[Model, Sequence[SentenceReading]], Mapping[str, object] | None]
    referee: Callable[[Model, SentenceReading], str]
    models: Callable[[SentenceReading], Iterable[Model]] = lambda _: ()
    grammar: Callable[[type[Model]], Grammar | None] = lambda _: None
