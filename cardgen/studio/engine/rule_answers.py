"""What the referee's part of the engine answers, and the fields for options of trials, battles, and rulings.

Answers are plain data, because they come from another process.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import game_of, rulings_of
from cardgen.deck.explanation import explanations
from cardgen.deck.release_file import CardKey
from cardgen.diagnostic import CardgenError
from cardgen.editor.session import LoadedProject, Session, benchmark_odds, odds_calculator
from cardgen.matches import session as trial_session
from cardgen.matches.session import (
    TrialRequest,
    TrialRun,
    exact_odds,
    prepare_trial,
    ruling_sensitivity,
    trial_parameters,
    with_referee,
)
from cardgen.matches.trials import changed_chances
from cardgen.model.card import Entry
from cardgen.options import FLAG, NUMBER, TEXT
from cardgen.project.project import Project
from cardgen.referee.odds import decimal, percent, short_fraction
from cardgen.referee.parameters import Parameter, Ruling, settings_in_force
from cardgen.referee.trial import GameTrials, OddsTable, not_adjudicated_sentence
from cardgen.releases.changes import BalancePlace
from cardgen.releases.odds import OddsCalculator, changed_figures, places
from cardgen.runtime.workspace import Workspace
from cardgen.studio.engine.answers import card_key
from cardgen.studio.page_words import CHOICE, SEVERAL, FieldChoice, OptionField, label_of, page_words, plain_choices
from cardgen.text.lines import to_plain_text

_SORTS = {"card": CHOICE, "cards": SEVERAL, "number": NUMBER, "flag": FLAG, "deck": FLAG, "word": TEXT}
_FLAG = re.compile(r"--([a-z][a-z-]*)")
_SHORT = "Same as --"


def trial_fields(options: Mapping[str, tuple[Parameter, bool]]) -> tuple[OptionField, ...]:
    """Return the fields of options, without those that are only short for the setting of another."""
    longer = ((name, *each) for name, each in options.items() if not each[0].help.startswith(_SHORT))
    return tuple(_field(name, option, is_required) for name, option, is_required in longer)


def _field(name: str, option: Parameter, is_required: bool) -> OptionField:
    is_card = option.sort in ("card", "cards")
    return OptionField(
        name,
        label_of(name),
        CHOICE if option.words else _SORTS[option.sort],
        _help(name, option.help),
        plain_choices(option.words),
        " ".join(option.kinds) if is_card else "",
        option.low if option.sort == "number" else None,
        option.high if option.sort == "number" else None,
        option.unit,
        is_required=is_required,
    )


def _help(name: str, text: str) -> str:
    """Return the help of an option without flags of the command line; '' if it only repeats the label."""
    words = _FLAG.sub(lambda match: label_of(match[1]), text)
    return "" if words.rstrip(".").casefold() == label_of(name).casefold() else words


def card_sources(options: Iterable[Parameter], lookup: CardLookup) -> dict[str, tuple[FieldChoice, ...]]:
    """Return the cards that options accept: those of the project, then the built-in ones that it does not replace."""
    kinds = {option.kinds for option in options if option.sort in ("card", "cards")}
    return {
        " ".join(each): tuple(FieldChoice(entry.card.id, entry.card.name) for entry in lookup.all_entries(each))
        for each in sorted(kinds)
    }


def ruling_fields(rulings: Iterable[Ruling], in_force: Mapping[str, str]) -> tuple[OptionField, ...]:
    """Return the fields of rulings or policies, whose defaults are the settings in force."""
    rows = (
        (each, tuple(FieldChoice(name, f"{name}: {words}") for name, words in each.settings.items()))
        for each in rulings
    )
    return tuple(
        OptionField(each.id, label_of(each.id), CHOICE, each.question, choices, placeholder=in_force[each.id])
        for each, choices in rows
    )


@dataclass(frozen=True, slots=True)
class TrialQuestion:
    """A trial with the values of its options, with cards by id; rulings and policy are texts such as 'first=a'."""

    game: str
    trial: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrialForm:
    """The options of a trial."""

    trial: str
    about: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class RefereeForm:
    """The trials of a game, its rulings and policies, and the cards to choose from by source.

    Without a referee, `problem` says so.
    """

    trials: tuple[TrialForm, ...] = ()
    rulings: tuple[OptionField, ...] = ()
    policies: tuple[OptionField, ...] = ()
    sources: Mapping[str, tuple[FieldChoice, ...]] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class OddsRow:
    """A chance or a mean, now and in the saved cards; `share` is a number from 0 to 1 for a bar, or None for a mean.

    The texts are '' for a row that only one of them has.
    """

    label: str
    text: str
    share: float | None
    fraction: str = ""
    saved_text: str = ""
    saved_share: float | None = None
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class OddsView:
    """An odds table; the odds of the saved cards stand beside those of the cards as they are being written."""

    title: str
    rows: tuple[OddsRow, ...]


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """The odds of a trial, or the `problem` with it.

    `has_saved` is true if cards of the trial have unsaved changes; `saved_problem` is then the problem with it before.
    """

    title: str = ""
    tables: tuple[OddsView, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    has_saved: bool = False
    saved_problem: str = ""


@dataclass(frozen=True, slots=True)
class RollAnswer:
    """What happened in a trial that was rolled, line by line, and the seed that repeats it; or the `problem`."""

    lines: tuple[str, ...] = ()
    seed: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RulingAnswer:
    """What the odds would be under other rulings, a line for each that changes them; or the `problem`."""

    lines: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence of a card: how it was read, what it means in the words of the game, and what the referee does."""

    part: str
    text: str
    level: str
    meaning: str
    reason: str
    referee: str
    unread: tuple[str, ...]
    is_own: bool


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of a benchmark that an unsaved change changes."""

    benchmark: str
    label: str
    saved: str
    now: str


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The place of a card among all that fight, and the share of its duels that it wins."""

    place: int
    fighters: int
    score: float


@dataclass(frozen=True, slots=True)
class BalanceAnswer:
    """What a change of a card means: its benchmarks, and its place in the balance, before and after.

    `benchmarks` are the card's odds against typical cards as it is now. `has_places` is true for cards that fight, and
    `left_out` names the rules that all these numbers leave to the players.
    """

    benchmarks: tuple[str, ...] = ()
    figures: tuple[FigureRow, ...] = ()
    saved: PlaceRow | None = None
    now: PlaceRow | None = None
    has_places: bool = False
    problem: str = ""
    is_changed: bool = False
    left_out: tuple[str, ...] = ()


PartChoices = Mapping[str, tuple[FieldChoice, ...]]
# The trials that authors want first.
_FIRST = ("attack", "duel")


def trial_names(game_trials: GameTrials) -> list[str]:
    """Return the names of a game's trials; those that authors want first come first."""
    return sorted(game_trials.trials, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))


def referee_form(game: str, workspace: Workspace, needed: Collection[Path]) -> RefereeForm:
    """Return the trials of a game with their options, and the cards to choose from; `needed` files have no errors.

    Raises CardgenError for a game without a referee.
    """
    project = Project.open(workspace)
    rules, game_trials = with_referee(game_of(project, game))
    names = trial_names(game_trials)
    options = {name: trial_parameters(name, game, workspace) for name in names}
    every = (option for each in options.values() for option, _ in each.values())
    lookup = CardLookup(rules, (), project, needed=needed)
    return RefereeForm(
        tuple(
            TrialForm(name, inspect.getdoc(game_trials.trials[name].situation) or "", trial_fields(options[name]))
            for name in names
        ),
        ruling_fields(rules.rulings, rulings_of(project, rules)[0]),
        ruling_fields(game_trials.policies, settings_in_force(game_trials.policies, {})[0]),
        card_sources(every, lookup),
    )


def part_choices(trial: TrialForm, values: Mapping[str, Any], lookup: CardLookup) -> PartChoices:
    """Return the names of parts, such as weapons, that each field for a word can have with the chosen cards."""
    parts = {
        field.name: _parts(lookup, field, name)
        for field in trial.fields
        if field.source and isinstance(name := values.get(field.name), str)
    }
    words = (field for field in trial.fields if field.sort == TEXT)
    return {field.name: plain_choices(names) for field in words if (names := _names_for(field.name, parts))}


def _parts(lookup: CardLookup, field: OptionField, name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of a card's parts by their key, such as 'weapons'."""
    try:
        card = lookup.find(name, tuple(field.source.split())).card
    except CardgenError:
        return {}
    lists = {key: value for key, value in card.model_dump(mode="json").items() if isinstance(value, list)}
    named = {
        key: tuple(str(each["name"]) for each in value if isinstance(each, dict) and each.get("name"))
        for key, value in lists.items()
    }
    return {key: names for key, names in named.items() if names}


def _names_for(option: str, parts: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, None]:
    """Return the names that fit an option: 'target_weapon' takes the weapons of the target.

    An option that names no card is about the first one, unless it names none of its parts either, such as 'reaction'.
    """
    words = option.split("_")
    own = [card for card in parts if card in words]
    keys = [key for card in parts.values() for key in card if key.removesuffix("s") in words]
    owners = own or [*parts][: 1 if keys else None]
    every = [(key, names) for card in owners for key, names in parts[card].items()]
    return dict.fromkeys(name for key, names in every if not keys or key in keys for name in names)


# Unsaved texts by file, relative to the project.
Texts = Mapping[str, str]
Result = TypeVar("Result")


class Referee:
    """The referee of a project, with its saved cards and with the texts that are not saved."""

    def __init__(self, root: Path) -> None:
        self._saved, self._written = Session(root), Session(root)

    def reload(self) -> None:
        """Read everything again, because files have changed on the disk."""
        self._saved.reload()
        self._written.reload()

    def _session(self, texts: Texts) -> Session:
        """Return the session of the project with unsaved texts."""
        if not texts:
            return self._saved
        contents = {str(self._saved.root / file): text.encode("utf-8", "replace") for file, text in texts.items()}
        self._written.replace_texts(contents)
        return self._written

    def _needed(self, texts: Texts) -> frozenset[Path]:
        """Return the paths of unsaved texts, which must be read; saved files that cannot be are left out."""
        return frozenset(self._saved.root / file for file in texts)

    def form(self, game: str, texts: Texts) -> RefereeForm:
        """Return the trials of a game with their options; while a text cannot be read, with the saved cards."""
        session = self._session(texts)
        try:
            return session.ask(lambda _: referee_form(game, session.workspace, self._needed(texts)))
        except CardgenError as error:
            return self.form(game, {}) if texts else RefereeForm(problem=_message(error))

    def part_choices(self, game: str, trial: TrialForm, values: Mapping[str, Any], texts: Texts) -> PartChoices:
        """Return the names of parts, such as weapons, that the chosen cards give to options of a trial."""
        session = self._session(texts)
        try:
            project = Project.open(session.workspace)
            lookup = CardLookup(game_of(project, game), (), project, needed=self._needed(texts))
            return session.ask(lambda _: part_choices(trial, values, lookup))
        except CardgenError:
            return {}

    # --- Trials

    def odds(self, question: TrialQuestion, texts: Texts) -> OddsAnswer:
        """Return the exact odds of a trial, beside those of the saved cards if these differ."""
        now = _Attempt(self._session(texts), question, self._needed(texts))
        saved = _Attempt(self._saved, question, ()) if texts else now
        if saved.is_like(now):
            return OddsAnswer(now.title, odds_views(now.tables), now.notes, now.problem)
        tables = odds_views(now.tables, saved.tables)
        return OddsAnswer(now.title, tables, now.notes, now.problem, has_saved=True, saved_problem=saved.problem)

    def roll(self, question: TrialQuestion, seed: str, texts: Texts) -> RollAnswer:
        """Roll a trial with the cards as they are being written; nothing is written to a file."""
        session = self._session(texts)
        try:
            request = _request(session, question, self._needed(texts))
            played = session.ask(lambda _: trial_session.roll(prepare_trial(request), seed or None))
            return RollAnswer(played.lines, played.seed or "")
        except CardgenError as error:
            return RollAnswer(problem=_message(error))

    def other_rulings(self, question: TrialQuestion, texts: Texts) -> RulingAnswer:
        """Return what each other setting of a ruling would change."""
        session = self._session(texts)
        try:
            request = _request(session, question, self._needed(texts))
            return RulingAnswer(session.ask(lambda _: tuple(_other_rulings(request))))
        except CardgenError as error:
            return RulingAnswer(problem=_message(error))

    # --- Cards

    def sentences(self, key: str, texts: Texts) -> tuple[SentenceRow, ...]:
        """Return how each sentence of a card is read, and what the referee does with it."""
        cards = self._session(texts).ask(lambda loaded: loaded.deck.cards)
        return tuple(_sentences(each for each in cards if card_key(each) == key))

    def balance(self, key: str, texts: Texts, *, with_places: bool = False) -> BalanceAnswer:
        """Return what the unsaved changes mean for a card; its places take a duel of each pair of cards."""
        game, kind, card = key.split("/", 2)
        session = self._session(texts)
        try:
            saved = self._saved.ask(lambda loaded: odds_calculator(loaded, game))
            return session.ask(lambda loaded: _balance(loaded, saved, (game, kind, card), with_places=with_places))
        except CardgenError as error:
            return BalanceAnswer(problem=_message(error))


class _Attempt:
    """A trial in one state of the cards: its odds, or the problem with it."""

    def __init__(self, session: Session, question: TrialQuestion, needed: Collection[Path]) -> None:
        self._session = session
        self._run: TrialRun | None = None
        self.problem = ""
        self._run = self._try(lambda: prepare_trial(_request(session, question, needed)))
        self._tables: tuple[OddsTable, ...] | None = None

    def _try(self, action: Callable[[], Result]) -> Result | None:
        try:
            return self._session.ask(lambda _: action())
        except CardgenError as error:
            self.problem = _message(error)
            return None

    def is_like(self, other: _Attempt) -> bool:
        """Return whether both have the same cards and rules, and so the same odds."""
        if self._run is None or other._run is None:
            return self._run is other._run and self.problem == other.problem
        return self._run.header == other._run.header

    @property
    def title(self) -> str:
        """What the trial is about."""
        return self._run.prepared.title if self._run else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the rules that players must apply themselves, and on those that change nothing."""
        notes = self._run.prepared.not_simulated if self._run else ()
        return tuple(not_adjudicated_sentence((each,)) for each in notes)

    @property
    def tables(self) -> tuple[OddsTable, ...]:
        """The odds; none if they cannot be computed, which is then the problem."""
        run = self._run
        if self._tables is None:
            self._tables = (self._try(lambda: exact_odds(run)) if run else None) or ()
        return self._tables


def _request(session: Session, question: TrialQuestion, needed: Collection[Path]) -> TrialRequest:
    """Return the request for a trial that uses all cards that can be read, and needs those of some files."""
    return TrialRequest(
        question.trial,
        question.values,
        question.rulings,
        question.policy,
        game=question.game,
        workspace=session.workspace,
        needed=needed,
    )


def _other_rulings(request: TrialRequest) -> Iterator[str]:
    before = exact_odds(prepare_trial(request))
    for ruling, setting, after in ruling_sensitivity(request):
        yield f"{ruling}={setting}: {', '.join(changed_chances(before, after)) or 'changes only other figures'}"


def odds_views(tables: tuple[OddsTable, ...], saved: tuple[OddsTable, ...] | None = None) -> tuple[OddsView, ...]:
    """Return odds tables beside those of the saved cards, which come in the same order."""
    both = zip_longest(tables, saved or ())
    return tuple(OddsView(table.title, tuple(_rows(table, other))) for table, other in both if table)


def _rows(table: OddsTable, saved: OddsTable | None) -> Iterator[OddsRow]:
    """Yield the rows of a table; those of the saved one that it lacks come last, unless they are numbers."""
    for name in ("parts", "chances", "means"):
        shown, digits = (decimal, 4) if name == "means" else (percent, 2)
        now, before = dict(getattr(table, name)), dict(getattr(saved, name)) if saved else {}
        labels = [*dict.fromkeys((*now, *before))]
        for label in sorted(labels, key=int) if all(map(str.isdecimal, labels)) else labels:
            value, old = now.get(label), before.get(label)
            yield OddsRow(
                label,
                "" if value is None else shown(value, digits),
                None if value is None or name == "means" else float(value),
                "" if value is None else short_fraction(value),
                "" if old is None else shown(old, digits),
                None if old is None or name == "means" else float(old),
                saved is not None and value != old,
            )


def _sentences(entries: Iterable[Entry]) -> Iterator[SentenceRow]:
    for text in explanations(tuple(entries)):
        for sentence in text.sentences:
            unread = (each for each in sentence.clauses if not each.is_read)
            nearest = ((each.text, f" (nearest form: {each.nearest})" if each.nearest else "") for each in unread)
            yield SentenceRow(
                text.label,
                to_plain_text(sentence.text),
                sentence.level.value,
                to_plain_text(sentence.canonical) if sentence.canonical and text.is_own else "",
                sentence.reason,
                page_words(text.referee(sentence)),
                tuple(to_plain_text(clause) + form for clause, form in nearest),
                text.is_own,
            )


def _balance(loaded: LoadedProject, saved: OddsCalculator, key: CardKey, *, with_places: bool) -> BalanceAnswer:
    now = odds_calculator(loaded, key[0])
    keys = {*saved.deck.entries, *now.deck.entries}
    changed = frozenset(key for key in keys if saved.deck.data(key) != now.deck.data(key))
    figures, left_out = changed_figures(saved, now, key, key, changed) if key in changed else ([], ())
    fights = key[1] in now.trials.fighters
    standings = places(saved, now, every=True) if fights and with_places else None
    lines, own_left_out = benchmark_odds(loaded, *key)
    return BalanceAnswer(
        tuple(lines),
        tuple(FigureRow(each.title, each.label, *each.texts) for each in figures),
        _place(standings.old.get(key) if standings else None),
        _place(standings.new.get(key) if standings else None),
        has_places=fights,
        is_changed=key in changed,
        left_out=tuple(dict.fromkeys((*own_left_out, *left_out, *(standings.left_out if standings else ())))),
    )


def _place(place: BalancePlace | None) -> PlaceRow | None:
    return PlaceRow(*place) if place else None


def _message(error: CardgenError) -> str:
    """Return the first error with its advice; advice about options of the command line is of no use here."""
    first = error.diagnostics[0]
    place = f" ({first.place})" if first.place.span else ""
    return page_words(f"{first.message}{place}")
