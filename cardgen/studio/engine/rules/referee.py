"""What cards do in the referee, as they are saved and as they are being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from cardgen.diagnostic import CardgenError
from cardgen.editor.odds import benchmark_odds, game_table
from cardgen.editor.session import LoadedProject, Session
from cardgen.grammar.reading import ClauseSpan, SentenceReading
from cardgen.model.entry import Entry
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.load.explanation import TextExplanation, explanations
from cardgen.pipeline.referee import session as trial_session
from cardgen.pipeline.referee.run import changed_chances
from cardgen.pipeline.referee.setup import (
    TrialRequest,
    TrialRun,
    exact_odds,
    prepare_trial,
    ruling_sensitivity,
)
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.odds.consequences import BalancePlace
from cardgen.pipeline.release.odds.figures import Table, changed_figures
from cardgen.pipeline.release.odds.places import places
from cardgen.referee.number_format import decimal, percent, short_fraction
from cardgen.referee.trial import OddsTable
from cardgen.studio.engine.rows import card_key
from cardgen.studio.engine.rules.rule_answers import (
    BalanceAnswer,
    FigureRow,
    OddsAnswer,
    OddsRow,
    OddsView,
    PlaceRow,
    RefereeForm,
    RollAnswer,
    RulingAnswer,
    SentenceRow,
    TrialForm,
    TrialQuestion,
)
from cardgen.studio.engine.rules.trial_forms import PartChoices, part_choices, referee_form
from cardgen.studio.page_words import page_words
from cardgen.text.markup import to_plain_text

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

    def form(self, game: str, texts: Texts) -> RefereeForm:
        """Return the trials of a game with their options; while a text cannot be read, with the saved cards."""
        session = self._session(texts)
        try:
            return session.ask(lambda _: referee_form(game, session.root))
        except CardgenError as error:
            return self.form(game, {}) if texts else RefereeForm(problem=_message(error))

    def part_choices(self, game: str, trial: TrialForm, values: Mapping[str, Any], texts: Texts) -> PartChoices:
        """Return the names of parts, such as weapons, that the chosen cards give to options of a trial."""
        session = self._session(texts)
        try:
            return session.ask(lambda _: part_choices(trial, values, CardLookup(require_game(game), (), session.root)))
        except CardgenError:
            return {}

    # --- Trials

    def odds(self, question: TrialQuestion, texts: Texts) -> OddsAnswer:
        """Return the exact odds of a trial, beside those of the saved cards if these differ."""
        now = _Attempt(self._session(texts), question)
        saved = _Attempt(self._saved, question) if texts else now
        if saved.is_like(now):
            return OddsAnswer(now.title, _views(now.tables, None), now.notes, now.problem)
        tables = _views(now.tables, saved.tables)
        return OddsAnswer(now.title, tables, now.notes, now.problem, has_saved=True, saved_problem=saved.problem)

    def roll(self, question: TrialQuestion, seed: str, texts: Texts) -> RollAnswer:
        """Roll a trial with the cards as they are being written; nothing is written to a file."""
        session = self._session(texts)
        try:
            return session.ask(lambda _: _roll(session, question, seed))
        except CardgenError as error:
            return RollAnswer(problem=_message(error))

    def other_rulings(self, question: TrialQuestion, texts: Texts) -> RulingAnswer:
        """Return what each other setting of a ruling would change."""
        session = self._session(texts)
        try:
            return RulingAnswer(session.ask(lambda _: tuple(_other_rulings(_request(session, question)))))
        except CardgenError as error:
            return RulingAnswer(problem=_message(error))

    # --- Cards

    def sentences(self, key: str, texts: Texts) -> tuple[SentenceRow, ...]:
        """Return how each sentence of a card is read, and what the referee does with it."""
        return self._session(texts).ask(lambda loaded: tuple(_sentences(_entries(loaded, key))))

    def balance(self, key: str, texts: Texts, *, with_places: bool = False) -> BalanceAnswer:
        """Return what the unsaved changes mean for a card; its places take a duel of each pair of cards."""
        game, kind, card = key.split("/", 2)
        session = self._session(texts)
        try:
            saved = self._saved.ask(lambda loaded: game_table(loaded, game))
            return session.ask(lambda loaded: _balance(loaded, saved, (game, kind, card), with_places=with_places))
        except CardgenError as error:
            return BalanceAnswer(problem=_message(error))


class _Attempt:
    """A trial in one state of the cards: its odds, or the problem with it."""

    def __init__(self, session: Session, question: TrialQuestion) -> None:
        self._session = session
        self._run: TrialRun | None = None
        self.problem = ""
        self._run = self._try(lambda: prepare_trial(_request(session, question)))
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
        """The rules that players must apply themselves."""
        return tuple(self._run.prepared.not_simulated) if self._run else ()

    @property
    def tables(self) -> tuple[OddsTable, ...]:
        """The odds; none if they cannot be computed, which is then the problem."""
        run = self._run
        if self._tables is None:
            self._tables = (self._try(lambda: exact_odds(run)) if run else None) or ()
        return self._tables


def _request(session: Session, question: TrialQuestion) -> TrialRequest:
    return TrialRequest(
        question.trial,
        question.values,
        question.rulings,
        question.policy,
        game=question.game,
        folder=session.root,
    )


def _roll(session: Session, question: TrialQuestion, seed: str) -> RollAnswer:
    played = trial_session.roll(prepare_trial(_request(session, question)), seed or None)
    return RollAnswer(played.lines, played.seed or "")


def _other_rulings(request: TrialRequest) -> Iterator[str]:
    before = exact_odds(prepare_trial(request))
    for ruling, setting, after in ruling_sensitivity(request):
        yield f"{ruling}={setting}: {', '.join(changed_chances(before, after)) or 'changes only other figures'}"


def _views(tables: tuple[OddsTable, ...], saved: tuple[OddsTable, ...] | None) -> tuple[OddsView, ...]:
    """Return odds tables beside those of the saved cards, which come in the same order."""
    both = zip_longest(tables, saved or ())
    return tuple(OddsView(table.title, tuple(_rows(table, other))) for table, other in both if table)


def _rows(table: OddsTable, saved: OddsTable | None) -> Iterator[OddsRow]:
    """Yield the rows of a table; those of the saved one that it lacks come last."""
    for name in ("parts", "chances", "means"):
        shown, digits = (decimal, 4) if name == "means" else (percent, 2)
        now, before = dict(getattr(table, name)), dict(getattr(saved, name)) if saved else {}
        for label in dict.fromkeys((*now, *before)):
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
        part = getattr(text.part, "name", "") if text.route else ""
        for sentence in text.sentences:
            yield _sentence_row(part, text, sentence)


def _sentence_row(part: str, text: TextExplanation, sentence: SentenceReading) -> SentenceRow:
    return SentenceRow(
        part,
        to_plain_text(sentence.text),
        sentence.level.value,
        to_plain_text(sentence.canonical) if sentence.canonical and text.is_own else "",
        sentence.reason,
        page_words(text.referee(sentence)),
        tuple(_clause_text(clause) for clause in sentence.clauses if not clause.is_read),
        text.is_own,
    )


def _clause_text(clause: ClauseSpan) -> str:
    return to_plain_text(clause.text) + (f" (nearest form: {clause.nearest})" if clause.nearest else "")


def _entries(loaded: LoadedProject, key: str) -> tuple[Entry, ...]:
    return tuple(entry for entry in loaded.deck.cards if card_key(entry) == key)


def _balance(loaded: LoadedProject, saved: Table, key: CardKey, *, with_places: bool) -> BalanceAnswer:
    now = game_table(loaded, key[0])
    changed = _changed_keys(saved, now)
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


def _changed_keys(saved: Table, now: Table) -> frozenset[CardKey]:
    """Return the cards whose rules differ."""
    keys = {*saved.deck.entries, *now.deck.entries}
    return frozenset(key for key in keys if saved.deck.data(key) != now.deck.data(key))


def _place(place: BalancePlace | None) -> PlaceRow | None:
    return PlaceRow(*place) if place else None


def _message(error: CardgenError) -> str:
    """Return the first error with its advice; advice about options of the command line is of no use here."""
    first = error.diagnostics[0]
    place = f" ({first.place})" if first.place.span else ""
    return page_words(f"{first.message}{place}")
