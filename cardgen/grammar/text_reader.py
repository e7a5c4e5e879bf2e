"""What a game offers to read its card texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cardgen.grammar.grammar import Grammar
from cardgen.grammar.reading import SentenceReading
from cardgen.validation.base import Model


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
