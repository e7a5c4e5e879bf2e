"""`cardgen explain`: what is understood of card texts, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli._options import cards_option, workspace
from cardgen.cli._output import json_option, print_json, print_line
from cardgen.units import quantity

if TYPE_CHECKING:
    from cardgen.deck.explanation import Coverage, TextExplanation
    from cardgen.grammar.reading import SentenceReading


@click.command("explain")
@click.argument("cards", nargs=-1)
@click.option(
    "--coverage",
    "is_coverage",
    is_flag=True,
    help="Show the share of sentences and words that is understood, and the commonest clauses that are not. "
    "CARDS are card files or folders; the default is the project's cards.",
)
@click.option("--unread", "is_unread", is_flag=True, help="Show only what is printed, but not understood.")
@cards_option
@json_option
def command(cards: tuple[str, ...], is_coverage: bool, is_unread: bool, paths: tuple[Path, ...], as_json: bool) -> None:
    """Show what is understood of the texts of cards, sentence by sentence.

    CARDS are names, ids, kinds, or tags of cards; the default is all cards of the project.

    A sentence is read if it has exactly one meaning; then the checks and the referee use it as if it were written as
    effects. A sentence that is read loosely is shown in the words of the game, for you to compare.
    """
    from cardgen.deck import explanation  # loaded here to keep 'cardgen --help' fast

    if is_coverage:
        counts = explanation.coverage(explanation.explain_cards([*paths, *map(Path, cards)], workspace=workspace()))
        if as_json:
            print_json("explain", {"coverage": counts.as_data()})
        else:
            _print_all(_coverage_lines(counts))
        return
    texts = explanation.explain_cards(paths, cards, workspace())
    texts = explanation.unread(texts) if is_unread else texts
    if as_json:
        print_json("explain", {"cards": explanation.as_data(texts)})
    else:
        _print_all(_lines(texts))


def _print_all(lines: Iterator[str]) -> None:
    for line in lines:
        print_line(line)


def _lines(texts: tuple[TextExplanation, ...]) -> Iterator[str]:
    if not texts:
        yield "these cards have no texts to explain"
    for number, (entry, group) in enumerate(groupby(texts, key=lambda text: text.entry)):
        if number:
            yield ""
        yield f"{entry.card.name} ({entry.kind} {entry.card.id}), {entry.place()}"
        for text in group:
            if text.label:
                yield f"  {text.label}:"
            for sentence in text.sentences:
                yield from _sentence_lines(text, sentence)


def _sentence_lines(text: TextExplanation, sentence: SentenceReading) -> Iterator[str]:
    from cardgen.grammar.reading import Level

    yield f"  {_one_line(sentence.text)}"
    yield f"    {sentence.level.value}{'' if text.is_own else ', made from effects'}" + (
        f": {_one_line(sentence.reason)}" if sentence.reason else ""
    )
    if sentence.canonical and text.is_own:
        yield f"    read as: {_one_line(sentence.canonical)}"
    if sentence.level == Level.UNREAD:
        for clause in sentence.clauses:
            state = "read" if clause.is_read else "not read"
            nearest = f" (nearest form: {clause.nearest})" if clause.nearest else ""
            yield f"      {state}: {_one_line(clause.text)}{nearest}"
    yield f"    the referee {text.referee(sentence)}"


def _one_line(markup: str) -> str:
    from cardgen.text.lines import to_plain_text

    return to_plain_text(markup).replace("\n", " ")


def _coverage_lines(counts: Coverage) -> Iterator[str]:
    total = sum(counts.sentences.values())
    yield f"{quantity(total, 'sentence')}, {quantity(counts.words, 'word')}"
    for level, count in counts.sentences.items():
        yield f"  {level.value}: {count} ({_share(count, total)})"
    yield f"  words in clauses that were read: {counts.words_read} ({_share(counts.words_read, counts.words)})"
    if counts.unread:
        yield "commonest clauses that were not read:"
        for text, count in counts.unread:
            yield f"  {count:>4}  {text}"


def _share(count: int, total: int) -> str:
    return f"{count / total:.0%}" if total else "0%"
