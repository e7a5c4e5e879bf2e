"""Parameters of trials: rulings, situations and the check of their values, benchmarks, and names of parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from numbers import Real
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast, get_type_hints

from cardgen.diagnostic import UnknownName, did_you_mean, join_words

RULING, POLICY = "ruling", "policy"


class Ruling(NamedTuple):
    """A question that the rulebook leaves open, and its possible answers.

    `settings` has a sentence for each setting; the first setting is the default.
    """

    id: str
    question: str
    settings: Mapping[str, str]

    @property
    def default(self) -> str:
        """The setting that applies unless a project overrides it."""
        return next(iter(self.settings))


def default_settings(rulings: Iterable[Ruling]) -> dict[str, str]:
    """Return the default settings of rulings by id."""
    return {ruling.id: ruling.default for ruling in rulings}


def settings_in_force(
    rulings: Iterable[Ruling], overrides: Mapping[str, str], what: str = RULING
) -> tuple[dict[str, str], tuple[UnknownName, ...]]:
    """Return the settings of rulings or policies with overrides, and unknown names.

    The settings are by the id of the ruling. Unknown rulings and settings have no effect. The `path` of an unknown name
    leads to it in `overrides`. `what` says what they are.
    """
    by_id = {ruling.id: ruling for ruling in rulings}
    settings = default_settings(by_id.values())
    unknown = []
    for name, setting in overrides.items():
        if name not in by_id:
            unknown.append(UnknownName(what, name, tuple(by_id), (name,)))
        elif setting not in by_id[name].settings:
            unknown.append(UnknownName(f"'{name}' setting", setting, tuple(by_id[name].settings), (name,)))
        else:
            settings[name] = setting
    return settings, tuple(unknown)


def switch_help(problem: UnknownName, others: Iterable[Ruling]) -> str:
    """Return what to write instead of an unknown ruling or policy; `others` are the policies, or the rulings."""
    for other in others:
        if other.id == problem.name and problem.what in (RULING, POLICY):
            kind = POLICY if problem.what == RULING else RULING
            settings = join_words([*other.settings])
            return f"'{other.id}' is a {kind}: write --{kind} {other.id}=SETTING, with {settings} as its setting"
    return problem.help


# The sorts that are always given, and so are not options.
GIVEN = ("library", "sizes")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A field of a situation, as annotation metadata for command options.

    `sort` is 'card', 'cards', 'deck', 'library', 'sizes', 'number', 'flag', or 'word'. A card has one of `kinds`; a
    number is between `low` and `high`, in `unit`; a word is one of `words` if there are any. A deck is optional: all
    cards of the project, or the built-in ones. A library is always given: the cards of the project and the built-in
    ones. So are sizes: the widths in mm of a kind whose size one of its fields decides, by the value of that field.
    """

    sort: str
    help: str
    kinds: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    words: tuple[str, ...] = ()


def parameters(situation: type[Any]) -> dict[str, tuple[Parameter, bool]]:
    """Return parameters by field, with the default in the help, and whether they are required."""
    hints = get_type_hints(situation, include_extras=True)
    return {
        each.name: (_with_default(hints[each.name].__metadata__[0], each.default), each.default is MISSING)
        for each in fields(situation)
    }


def _with_default(parameter: Parameter, default: object) -> Parameter:
    """Return a parameter whose help names its default, unless that is nothing, 0, or 'no'."""
    if default is MISSING or not default or "default" in parameter.help:
        return parameter
    sentence = parameter.help.removesuffix(".")
    return replace(parameter, help=f"{sentence} (default: {default}){parameter.help[len(sentence) :]}")


def check_values(situation: type[Any], values: Mapping[str, Any]) -> str:
    """Return the problem with the values of a situation, or ''.

    Cards are plain data.
    """
    expected = parameters(situation)
    for name in values.keys() - expected.keys():
        return f"unknown option '{name}'"
    for name, (parameter, required) in expected.items():
        value = values.get(name)
        if value is None:
            if required:
                return f"'{name}' is missing"
        elif problem := _check_value(parameter, value):
            return f"'{name}' {problem}"
    return ""


def _check_value(parameter: Parameter, value: Any) -> str:
    """Return the problem with a value, or ''."""
    if parameter.sort == "number":
        fits = type(value) is int and parameter.low <= value <= parameter.high
        shown = str(value)[:40]
        return "" if fits else f"must be a whole number between {parameter.low} and {parameter.high}, not {shown}"
    if parameter.sort == "flag":
        return "" if isinstance(value, bool) else "must be true or false"
    if parameter.sort == "word":
        fits = isinstance(value, str) and (not parameter.words or value in parameter.words)
        return (
            ""
            if fits
            else f"must be {join_words(parameter.words) if parameter.words else 'text'}, not {str(value)[:40]!r}"
        )
    if parameter.sort == "sizes":
        widths = value.values() if isinstance(value, Mapping) else ()
        fits = all(isinstance(each, Real) and cast("int", each) > 0 for each in widths)
        return "" if fits and widths else "must be widths by value"
    cards = value if parameter.sort in ("cards", "deck", "library") else [value]
    whole = isinstance(cards, list | tuple) and all(isinstance(each, dict) and "kind" in each for each in cards)
    return "" if whole and all(map(_is_named, _cards_within(cards))) else "must be card data"


def _cards_within(cards: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the data of cards, and of the cards that they contain."""
    pending = [cards]
    while pending:
        value = pending.pop()
        if isinstance(value, Mapping):
            if "kind" in value and "name" in value:
                yield value
            pending.extend(value.values())
        elif isinstance(value, list | tuple):
            pending.extend(value)


def _is_named(card: Mapping[str, Any]) -> bool:
    return isinstance(card["kind"], str) and isinstance(card["name"], str)


# Returns the plain data of the most ordinary card of some kinds, besides the card in question, or None.
TypicalCard: TypeAlias = Callable[..., dict[str, Any] | None]
# Benchmarks for a trial of which nothing is known but what it asks for.
_MOST_CARDS = 2


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A trial of a card, such as 'Rifle at Brute', with the values of its situation.

    `rows` are the labels of the odds that matter, without names of cards: 'wounds' for 'Halvane Doru wounds'; or with
    the title of their table: 'Ash: casualty'. By default, all matter: chances and means, or else the parts of a
    distribution.
    """

    title: str
    trial: str
    situation: Mapping[str, Any]
    rows: tuple[str, ...] = ()


# Returns the benchmarks of a card, as plain data.
Benchmarks: TypeAlias = Callable[[dict[str, Any], TypicalCard], Iterable[Benchmark]]


def ask_trials(situations: Mapping[str, type[Any]]) -> Benchmarks:
    """Return the benchmarks of a game that names none: its trials that need only one card or two.

    `situations` are the classes of the situations of its trials, by name. The card takes each place that it can have,
    opposite an ordinary card.
    """

    def benchmarks(card: dict[str, Any], typical: TypicalCard) -> Iterator[Benchmark]:
        for trial, situation in situations.items():
            needed = {name: each for name, (each, is_required) in parameters(situation).items() if is_required}
            if not 1 <= len(needed) <= _MOST_CARDS or any(each.sort != "card" for each in needed.values()):
                continue
            for name in (name for name, each in needed.items() if card["kind"] in each.kinds):
                others = {other: typical(*each.kinds) for other, each in needed.items() if other != name}
                cards = [*others.values()]
                if None not in cards:
                    values = {**others, name: card}
                    names = " at ".join(str(value["name"]) for value in (values[each] or {} for each in needed))
                    yield Benchmark(f"{trial.replace('-', ' ')}: {names}", trial, values)

    return benchmarks


T = TypeVar("T")
_name_of: Callable[[Any], str] = attrgetter("name")


def numbered_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with numbers for repeated ones: 'Brute 1', 'Brute 2'."""
    total, count = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} {count[name]}" if total[name] > 1 else name)
    return tuple(numbered)


def find_by_name(items: Iterable[T], name: str, name_of: Callable[[T], str] = _name_of) -> T | None:
    """Return the first item with a name, ignoring case, or None."""
    return next((item for item in items if name_of(item).casefold() == name.casefold()), None)


def missing_part(owner: str, part: str, name: str | None, names: Iterable[str], use: str = "") -> str:
    """Return the message about a weapon, attack, or other part that a piece does not have.

    `part` is its noun, and `use` may follow it, such as ' for shooting'. `name` is the name of the part if it was
    given, and `names` has the names of those that the piece has.
    """
    others = [*names]
    if not others or name is None:
        return f"{owner} has no {part}{use}"
    hint = did_you_mean(name, others) or f"; it has {', '.join(others)}"
    return f"{owner} has no {part} '{name[:60]}'{use}{hint}"
