"""The view of what a card does in the referee."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from nicegui import ui
from nicegui.element import Element

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import BACKGROUND, URGENT, ProcessError
from cardgen.studio.engine.answers import CardRow
from cardgen.studio.engine.rule_answers import (
    BalanceAnswer,
    OddsAnswer,
    RefereeForm,
    RollAnswer,
    RulingAnswer,
    TrialForm,
    TrialQuestion,
)
from cardgen.studio.form_values import first_role, main_fields, start_values
from cardgen.studio.page_words import CHOICE, FieldChoice, OptionField, explain, label_of, with_choices
from cardgen.studio.pages.elements import OptionForm, Values, button_row, details, plain_button, show_data, title
from cardgen.studio.pages.window import add_styles, connected_window, listen, page_frame, show_missing_files
from cardgen.studio.studio import Studio


async def show_rules(studio: Studio, card: str, others: Sequence[str] = ()) -> None:
    """Show what a card does in the referee, with others that are selected."""
    await studio.ready.wait()
    with page_frame(studio, "rules"):
        add_styles("rules")
        show_missing_files(studio)
        if not studio.state.cards:
            ui.label("No card can be read." if studio.state.unread else "This project has no cards yet.").classes(
                "cards-empty"
            )
            return
        view = RulesView(studio, studio.card(card) or _first_card(studio), others)
    async with connected_window():
        await view.choose(view.card)
        if not studio.card(card):
            await view.choose_player()


def _first_card(studio: Studio) -> CardRow:
    """Return the first card of the text that was changed last, or of the project."""
    files = (*reversed(tuple(studio.drafts)), studio.state.cards[0].file)
    return next(row for file in files for row in studio.state.cards if row.file == file)


# Seconds between looks at texts that other windows have changed.
_LOOK_SECONDS = 1.0
_STOPPED = "the computation was stopped"


class _OddsChart(Element, component="web/odds_view.js"):  # type: ignore[call-arg]
    """Odds tables as bars and numbers."""


class _CardRules(Element, component="web/card_rules.js"):  # type: ignore[call-arg]
    """Sentences and balance of a card."""


class RulesView:
    """The referee for one card in one window."""

    def __init__(self, studio: Studio, card: CardRow, others: Sequence[str] = ()) -> None:
        self._studio, self.card = studio, card
        self._others = [row.id for key in others if (row := studio.card(key))]
        self._form, self._trial = RefereeForm(), TrialForm("", "", ())
        self._values: Values = {}
        self._revision, self._is_busy = 0, False
        self._texts: dict[str, str] = {}
        self._show_elements()
        listen(studio.on_change, self._files_changed)
        ui.timer(_LOOK_SECONDS, self._look_for_changes)
        ui.context.client.on_delete(self._close)

    def _show_elements(self) -> None:
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("rules-form").props('aria-label="Trial"'):
                title("Rules")
                self._subject = OptionForm("Card and trial", self._subject_changed)
                self._problem = ui.label().classes("bar warning").props('role="status"').mark("referee-problem")
                self._about = ui.label().classes("option-help")
                self._situation = OptionForm("Situation", self._situation_changed)
                with details("More options") as more:
                    self._rare = OptionForm("More options", self._situation_changed)
                more.mark("more-options")
                with details("Rulings and policy") as rulings:
                    self._rulings = OptionForm("Rulings", lambda _: self._ask())
                    self._policies = OptionForm("Policy", lambda _: self._ask())
                with button_row() as buttons:
                    plain_button("Other rulings", self._compare_rulings).mark("other-rulings")
                    plain_button("Roll once", self._roll).mark("roll")
                self._transcript = (
                    ui.label().classes("job-log").props('role="log" tabindex="0" aria-label="Roll and rulings"')
                )
            with ui.element("div").classes("rules-answer"):
                self._odds = _OddsChart()
                self._odds.on("stop", self._studio.computing.interrupt)
                self._facts = _CardRules()
                self._facts.on("places", lambda: self._show_balance(with_places=True))
                self._facts.on("stop", self._studio.computing.interrupt)
        self._of_trials = (more, rulings, buttons, self._odds)
        show_data(self._odds, answer=asdict(OddsAnswer()), busy=False)
        show_data(self._facts, sentences=[], balance=asdict(BalanceAnswer()), busy=False)
        self._problem.set_visibility(False)
        self._transcript.set_visibility(False)

    def _close(self) -> None:
        """Leave the view; places in the balance, which take long, are not computed for nobody."""
        if self._is_busy:
            self._studio.computing.interrupt()

    # --- The card and its trial

    async def choose(self, card: CardRow, trial: str = "") -> None:
        """Show the trials of a card's game, and one of them."""
        self.card = card
        self._texts = self._drafts()
        try:
            self._form = await self._studio.computing.call("rules.form", card.game, self._texts, priority=URGENT)
        except ProcessError as error:
            self._form = RefereeForm(problem=explain(error))
        self._problem.text = self._form.problem
        self._problem.set_visibility(bool(self._form.problem))
        trials = self._form.trials
        for each in self._of_trials:
            each.set_visibility(bool(trials))
        fitting = [each for each in trials if first_role(each, card.kind)]
        self._trial = next(
            (each for each in trials if each.trial == trial), next(iter((*fitting, *trials)), self._trial)
        )
        self._values = start_values(self._form, self._trial, card, self._others)
        await self._show_forms()
        await self._show_answers()

    async def choose_player(self) -> None:
        """Choose another card if this one has no part in the trial, such as a blank form."""
        if not first_role(self._trial, self.card.kind):
            rows = (row for row in self._studio.state.cards if row.game == self.card.game)
            players = (row for row in rows if first_role(self._trial, row.kind))
            row = next(players, self.card)
            if row != self.card:
                await self.choose(row)

    async def _show_forms(self) -> None:
        cards = [FieldChoice(row.key, row.name) for row in self._studio.state.cards]
        trials = tuple(FieldChoice(each.trial, label_of(each.trial)) for each in self._form.trials)
        fields = [OptionField("card", "Card", CHOICE, source="cards", is_required=True)]
        if trials:
            fields.append(OptionField("trial", "Trial", CHOICE, choices=trials, is_required=True))
        self._subject.show(fields, {"cards": cards}, {"card": self.card.key, "trial": self._trial.trial})
        self._about.text = self._trial.about
        await self._show_situation()
        self._rulings.show(self._form.rulings)
        self._policies.show(self._form.policies)

    async def _subject_changed(self, values: Values) -> None:
        row = self._studio.card(values.get("card", "")) or self.card
        await self.choose(row, values.get("trial", "") if row == self.card else "")

    async def _show_situation(self) -> None:
        """Show the options of the trial, with the parts of the chosen cards, such as their weapons."""
        question = self.card.game, self._trial, dict(self._values), self._texts
        try:
            parts = await self._studio.computing.call("rules.part_choices", *question, priority=URGENT)
        except ProcessError:
            parts = {}
        fields = [with_choices(field, parts.get(field.name, ())) for field in self._trial.fields]
        main = {field.name for field in main_fields(self._trial, self.card.kind)}
        self._situation.show((each for each in fields if each.name in main), self._form.sources, self._values)
        self._rare.show((each for each in fields if each.name not in main), self._form.sources, self._values)

    async def _situation_changed(self, _: Values) -> None:
        before, self._values = self._values, {**self._situation.values, **self._rare.values}
        if any(before.get(field.name) != self._values.get(field.name) for field in self._trial.fields if field.source):
            await self._show_situation()
        await self._ask()

    # --- Answers

    @property
    def _question(self) -> TrialQuestion:
        rulings = tuple(f"{name}={setting}" for name, setting in self._rulings.values.items())
        policy = tuple(f"{name}={setting}" for name, setting in self._policies.values.items())
        return TrialQuestion(self.card.game, self._trial.trial, dict(self._values), rulings, policy)

    def _drafts(self) -> dict[str, str]:
        """Return the texts of cards, games, and settings that are not saved."""
        return {file: text for file, text in self._studio.drafts.texts.items() if file.endswith((".yaml", ".yml"))}

    async def _show_answers(self) -> None:
        await self._ask()
        await self._show_sentences()
        await self._show_balance()

    async def _ask(self) -> None:
        """Compute the odds, unless another question follows while others are computed."""
        if not self._trial.trial:
            return
        self._revision += 1
        revision = self._revision
        show_data(self._odds, busy=True)
        answer = await self._call(OddsAnswer, "rules.odds", self._question, self._texts, priority=URGENT)
        if revision == self._revision:
            show_data(self._odds, answer=asdict(answer), busy=False)

    async def _call(self, answer: Any, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Return an answer of the engine; a failure is the problem in an empty `answer`."""
        try:
            return await self._studio.computing.call(name, *arguments, **keywords)
        except (CardgenError, ProcessError) as error:
            return answer(problem=_STOPPED if isinstance(error, ProcessError) else explain(error))

    async def _show_sentences(self) -> None:
        try:
            rows = await self._studio.computing.call("rules.sentences", self.card.key, self._texts)
        except (CardgenError, ProcessError):
            rows = ()
        show_data(self._facts, sentences=[asdict(row) for row in rows])

    async def _show_balance(self, *, with_places: bool = False) -> None:
        key = self.card.key
        self._is_busy = with_places
        show_data(self._facts, busy=with_places)
        answer = await self._call(
            BalanceAnswer, "rules.balance", key, self._texts, with_places=with_places, priority=BACKGROUND
        )
        self._is_busy = False
        if self._form.problem:
            answer = BalanceAnswer(problem=self._form.problem)
        if key == self.card.key:
            show_data(self._facts, balance=asdict(answer), busy=False)

    async def _roll(self) -> None:
        answer = await self._call(RollAnswer, "rules.roll", self._question, "", self._texts, priority=URGENT)
        self._transcript.set_visibility(True)
        self._transcript.text = answer.problem or "\n".join((*answer.lines, f"seed {answer.seed}"))

    async def _compare_rulings(self) -> None:
        answer = await self._call(RulingAnswer, "rules.other_rulings", self._question, self._texts, priority=URGENT)
        lines = answer.lines or ("Other rulings would not change these odds.",)
        self._transcript.set_visibility(True)
        self._transcript.text = answer.problem or "\n".join(lines)

    # --- Changes

    async def _look_for_changes(self) -> None:
        """Follow texts that are not saved, which other windows write."""
        if self._drafts() != self._texts:
            self._texts = self._drafts()
            await self._follow()

    def _files_changed(self, _: tuple[str, ...]) -> None:
        self.card = self._studio.card(self.card.key) or self.card
        self._task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Answer anew, and choose a trial anew if there was none."""
        await (self.choose(self.card) if self._form.problem else self._show_answers())
