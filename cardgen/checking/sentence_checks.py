"""Checks of what was read in texts, at the place of the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from cardgen.checking.check import Check, Find, Finding
from cardgen.checking.context import CheckContext, FreeText
from cardgen.diagnostic import Severity
from cardgen.validation.base import Model

if TYPE_CHECKING:
    from cardgen.grammar.reading import SentenceReading

Interested = Callable[[type, str], Iterable[tuple[Check, Find]]]
Walk = Callable[[Model], Iterable[tuple[object, tuple[str | int, ...], tuple[Model, ...]]]]


def findings_in_sentences(
    free_text: FreeText, context: CheckContext, interested: Interested, walk: Walk
) -> Iterator[tuple[Finding, Check]]:
    """Yield the findings of a game's checks on the sentences of a text that were read exactly.

    `interested` returns the checks of a type of model for a game, and `walk` the parts of a model. A text
    beside effects is left out, because the effects are checked.
    """
    thing, entry = context.parent, context.entry
    if not (free_text.is_rules_text and thing and entry) or getattr(thing, "effects", None):
        return
    reader = context.scope.readers(entry.game)
    if reader is None:
        return
    from cardgen.grammar.reading import Level  # loaded here because most cards have effects instead of texts

    for sentence in reader.read(thing, free_text.text):
        for model in reader.models(sentence) if sentence.level == Level.READ else ():
            for part, route, ancestors in walk(model):
                inner = context._replace(ancestors=(*context.ancestors, *ancestors))
                for check, find in interested(type(part), entry.game):
                    for finding in find(part, inner):
                        yield _at_words(finding, check, sentence, _value_at(model, (*route, *finding.route)))


def _at_words(finding: Finding, check: Check, sentence: SentenceReading, value: object) -> tuple[Finding, Check]:
    """Return the finding at the words of a text, with a severity of warning or error."""
    at_words = finding._replace(
        route=(), text_range=_range_of(sentence, value), at_key=False, word="", fix=None, related=()
    )
    return at_words, check._replace(severity=Severity.WARNING) if check.severity is Severity.NOTE else check


def _range_of(sentence: SentenceReading, value: object) -> tuple[int, int]:
    """Return the range of the only clause with a number, or else of the sentence."""
    if isinstance(value, int) and not isinstance(value, bool):
        clauses = [clause for clause in sentence.clauses if str(abs(value)) in clause.text]
        if len(clauses) == 1:
            return clauses[0].start, clauses[0].end
    return sentence.start, sentence.end


def _value_at(model: object, route: tuple[str | int, ...]) -> object:
    """Return the value at a route of keys in a model, or None."""
    for step in route:
        if isinstance(model, Model):
            aliases = {info.alias or name: name for name, info in type(model).model_fields.items()}
            model = getattr(model, aliases.get(str(step), str(step)), None)
        elif isinstance(model, tuple) and isinstance(step, int):
            model = model[step] if step < len(model) else None
        else:
            return None
    return model
