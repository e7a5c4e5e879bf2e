"""Examples on sheets: the referee works them out, so that no number of theirs can be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.model.card import slug
from cardgen.pipeline.contestants import Contestants
from cardgen.pipeline.refereeing import Case, prepare, settings_of
from cardgen.pipeline.refereeing import odds as odds_of
from cardgen.referee.figures import decimal, percent
from cardgen.referee.narration import line
from cardgen.referee.playing import Answer, Event, ImpossibleError, Told, play
from cardgen.referee.requests import Choice, Question
from cardgen.reference.sources import Judged, RefusedError
from cardgen.rulesets.adjudication import Adjudication, Terms, options
from cardgen.rulesets.ruleset import Ruleset


def judge(
    rules: Ruleset,
    contestants: Contestants,
    rulings: Mapping[str, str],
    trial: str,
    values: Mapping[str, Any],
    dice: Sequence[int],
) -> Judged:
    """What comes of a trial: its chances in words, and with dice what happens when they are rolled.

    Raises RefusedError, with the route in the example, for what cannot be judged.
    """
    adjudication: Adjudication = import_module(rules.adjudication).ADJUDICATION
    if trial not in adjudication.trials:
        raise RefusedError.unknown("trial", trial, adjudication.trials, ("trial",))
    wanted = options(adjudication.trials[trial].situation)
    for name in values:
        if name not in wanted:
            raise RefusedError.unknown("option", name, wanted, ("with", name))
    try:
        data = {name: contestants.data(value, wanted[name][0]) for name, value in values.items()}
        terms = Terms(rulings, settings_of(adjudication.policies, {}, "--policy"))
        case = prepare(rules, adjudication, trial, data, terms)
        chances: dict[str, str] = {}
        for name, words in _chances(case):
            chances.setdefault(name, words)
    except CardgenError as error:
        first = error.diagnostics[0]
        raise RefusedError(first.message, first.help, ("with",)) from None
    return Judged(chances, tuple(_played(case, dice)) if dice else ())


def _chances(case: Case) -> Iterator[tuple[str, str]]:
    """Every chance and mean by the words that stand for it, without the names of cards: 'hits', 'is-resisted'.

    It has a longer name too, with its title: 'wounds-that-brute-loses-1'.
    """
    names = sorted(_names(case.header.situation), key=len, reverse=True)
    for figures in odds_of(case):
        told = [(words, in_words(chance)) for words, chance in (*figures.chances, *figures.parts)]
        for words, figure in (*told, *((words, decimal(mean, 2)) for words, mean in figures.means)):
            yield _named(words, names), figure
            yield slug(f"{figures.title} {words}"), figure


def _names(situation: Mapping[str, Any]) -> list[str]:
    return [value["name"] for value in situation.values() if isinstance(value, dict) and "name" in value]


def _named(words: str, names: Sequence[str]) -> str:
    for name in names:
        words = words.removeprefix(f"{name} ")
    return slug(words)


def in_words(chance: Fraction) -> str:
    """'2 in 9 (22 %)', which no line breaks."""
    return f"{chance.numerator} in {chance.denominator} ({percent(chance, 0)})".replace(" ", "\u00a0")


def _played(case: Case, dice: Sequence[int]) -> list[str]:
    """What happens with these dice, told one by one."""
    left = list(dice)
    told: list[str] = []

    def answer(path: str, question: Question) -> int | str:
        if isinstance(question, Choice) and question.advised:
            return question.advised
        if not left:
            raise ImpossibleError("the example needs more dice than it has")
        return left.pop(0)

    give: Answer = answer
    try:
        play(case.matter.start(), give, lambda event: told.extend(_told(event)))
    except ImpossibleError as error:
        raise RefusedError(str(error), "", ("dice",)) from None
    if left:
        raise RefusedError(f"{len(left)} of the dice are not needed", "leave them out", ("dice",))
    return told


def _told(told: Told) -> Iterator[str]:
    if isinstance(told, Event) and isinstance(told.question, Choice):
        return
    yield line(told).strip()
