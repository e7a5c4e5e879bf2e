"""The form for a new battle: everything that `cardgen battle` accepts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.option_fields import CHOICE, FLAG, OptionField
from cardgen.studio.page_words import explain
from cardgen.studio.pages.shared.elements import busy_button, button_row, details, fault_label, plain_button
from cardgen.studio.pages.shared.elements import title as heading
from cardgen.studio.pages.shared.option_form import OptionForm, Values
from cardgen.studio.play.battle_state import BattleOrder, SetupForm
from cardgen.studio.play.host import Host
from cardgen.studio.trial_values import required_values

_OWN_DICE = OptionField("own_dice", "We roll our own dice", FLAG, "The pages ask for what the dice show.")
_SEED = OptionField("seed", "Seed of the dice", placeholder="a random one")
_FILES = OptionField("files", "Card files", help="To use instead of the project's, separated by spaces.")


class BattleSetup:
    """The form for a new battle, and what was chosen in it.

    `on_choose` gets the names of the cards that were chosen for its sides, each time they change.
    """

    def __init__(self, host: Host, form: SetupForm, on_choose: Callable[[list[str]], object]) -> None:
        self._host, self._form, self._on_choose = host, form, on_choose

    def show(self, begin: Callable[[BattleSetup], Awaitable[str]]) -> None:
        """Show the form; `begin` begins the battle, and returns the problem or ''."""
        self._begin = begin
        with ui.element("section").classes("play-setup").props('aria-label="New battle"'):
            heading("New battle")
            self._game = OptionForm("Game", self._change_game)
            self._options = OptionForm("Battle", lambda _: self._tell(), self._submit)
            with details("More options"):
                self._rare = OptionForm("More options")
            with details("House rules and policy"):
                self._rulings, self._policies = OptionForm("House rules"), OptionForm("Policy")
            self._fault = fault_label()
            with button_row():
                self._button = plain_button("Begin", self._submit, "primary").mark("begin")
        self._fill()

    def _fill(self) -> None:
        form = self._form
        save = OptionField("save", "Save as", placeholder=form.save)
        if len(form.games) > 1:
            game = OptionField("game", "Game", CHOICE, choices=form.games, is_required=True)
            self._game.show([game], values={"game": form.game})
        self._options.show((*form.fields, _OWN_DICE), form.sources, required_values(form.fields, form.sources))
        self._rare.show((save, _SEED, _FILES))
        self._rulings.show(form.rulings)
        self._policies.show(form.policies)
        self._tell()

    def _tell(self) -> None:
        """Tell which cards were chosen."""
        form, values = self._form, self._options.values
        choices = (each for field in form.fields for each in form.sources.get(field.source, ()) if field.source)
        names = {each.value: each.label for each in choices}
        self._on_choose([names[key] for field in form.fields if (key := str(values.get(field.name))) in names])

    async def _change_game(self, values: Values) -> None:
        try:
            self._form = await self._host.form(values.get("game", ""))
        except (CardgenError, ProcessError) as error:
            self._fault.text = explain(error)
        else:
            self._fault.text = ""
            self._fill()

    async def _submit(self) -> None:
        values = self._options.values
        missing = [field.label for field in self._form.fields if field.is_required and not values.get(field.name)]
        if missing:
            self._fault.text = f"Choose {' and '.join(missing)}."
            return
        self._fault.text = ""
        with busy_button(self._button, "Beginning …"):
            self._fault.text = await self._begin(self)

    def order(self) -> BattleOrder:
        """Return what was chosen."""
        values, rare = self._options.values, self._rare.values
        names = {field.name for field in self._form.fields}
        return BattleOrder(
            self._form.game,
            {name: value for name, value in values.items() if name in names},
            tuple(f"{name}={setting}" for name, setting in self._rulings.values.items()),
            tuple(f"{name}={setting}" for name, setting in self._policies.values.items()),
            tuple(rare.get("files", "").split()),
            rare.get("save", ""),
            rare.get("seed", ""),
            bool(values.get("own_dice")),
        )
