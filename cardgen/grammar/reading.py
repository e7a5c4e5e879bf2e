"""Sentences read with a grammar: exactly, loosely, or not, with the clauses that were read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from cardgen.grammar.chart import Chart, Match, TooComplexError
from cardgen.grammar.grammar import Grammar
from cardgen.grammar.lexer import Token
from cardgen.grammar.meaning import Meaning
from cardgen.grammar.nearest import nearest_form
from cardgen.grammar.sentences import SentenceSpan, name_end

# The symbols of the clauses that a sentence consists of; at most one of them leaves out its subject.
PART, ELLIPSIS = "part", "ellipsis"
_MAX_ORDERS = 400


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
    grammar: Grammar, sentence: SentenceSpan, assemble: Assemble, after_name: Callable[[str], int] = name_end
) -> SentenceReading:
    """Read a sentence.

    It is cut into clauses in every way that leaves no word over. `assemble` yields what each way means. The sentence is
    read if all of them mean the same. `after_name` returns where a sentence goes on after a name, or 0.
    """
    skipped = after_name(sentence.text)
    reading = _read(grammar, sentence, 0, assemble)
    if reading.level == Level.UNREAD and skipped:
        return _read(grammar, sentence, skipped, assemble)
    return reading


def _read(grammar: Grammar, sentence: SentenceSpan, skipped: int, assemble: Assemble) -> SentenceReading:
    text, start = sentence
    unread = SentenceReading(text, start, Level.UNREAD)
    tokens = tuple(
        token._replace(start=token.start + skipped, end=token.end + skipped)
        for token in grammar.tokenize(text[skipped:].rstrip(" .!*"))
    )
    if not tokens:
        return unread._replace(reason="the sentence is too long" if text else "")
    chart = grammar.chart(tokens)
    joints = grammar.table.joints | grammar.table.fillers
    try:
        values, parts = _interpretations(chart, joints, assemble)
        if len(values) == 1:
            [(value, is_loose)] = values.items()
            level = Level.LOOSELY if is_loose else Level.READ
            spans = tuple([_span(grammar, chart, sentence, part.start, part.end, is_read=True) for part in parts])
            return unread._replace(level=level, value=value, find_clauses=lambda: spans)
        reason = f"it can mean {len(values)} different things" if values else ""
        return unread._replace(find_clauses=lambda: _spans(grammar, tokens, sentence), reason=reason)
    except TooComplexError as error:
        return unread._replace(reason=str(error))


def _interpretations(
    chart: Chart, joints: frozenset[str], assemble: Assemble
) -> tuple[dict[Hashable, bool], tuple[Part, ...]]:
    """Return what the sentence can mean, for each meaning whether it was only read loosely, and the parts of one."""
    values: dict[Hashable, bool] = {}
    first: tuple[Part, ...] = ()
    for number, parts in enumerate(_orders(chart, joints, 0)):
        if number >= _MAX_ORDERS:
            raise TooComplexError("the sentence can be divided in too many ways")
        for value, is_loose in assemble(parts, chart.tokens):
            loose = is_loose or any(part.is_loose for part in parts)
            values[value] = loose and values.get(value, True)
            first = first or parts
    return values, first


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
    return _merge_gaps(chart, best, joints)


def _merge_gaps(
    chart: Chart, best: list[tuple[int, int, int, bool]], joints: frozenset[str]
) -> list[tuple[int, int, bool]]:
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
