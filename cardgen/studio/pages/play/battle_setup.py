"""The form for a new battle: everything that `cardgen battle` accepts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.pages.shared.elements import fault_label, plain_button
from cardgen.studio.play.battle_state import BattleOrder, FormField, SetupForm, Switch
from cardgen.studio.play.host import Host

_STYLE = "outlined dense"
_SIDES = {"a": "Side A", "b": "Side B", "c": "Side C", "d": "Side D"}


class BattleSetup:
    """The form for a new battle, and what was chosen in it."""

    def __init__(self, host: Host, form: SetupForm) -> None:
        self._host, self._form = host, form
        self._inputs: dict[str, Any] = {}
        self._switches: dict[tuple[str, str], Any] = {}

    def show(self, begin: Callable[[BattleSetup], Awaitable[str]]) -> None:
        """Show the form; `begin` begins the battle, and returns the problem or ''."""
        self._begin = begin
        self._panel = ui.element("section").classes("play-panel").props('aria-labelledby="setup-title"')
        self._fill()

    def _fill(self) -> None:
        self._inputs, self._switches = {}, {}
        self._panel.clear()
        with self._panel:
            ui.label("New battle").classes("studio-title").props('role="heading" aria-level="2" id="setup-title"')
            with ui.element("form").classes("play-form") as form:
                form.on("submit.prevent", self._submit)
                self._show_fields()
                self._fault = fault_label()
                with ui.element("div").classes("play-row"):
                    plain_button("Begin", None, "primary").props("type=submit").mark("begin")

    def _show_fields(self) -> None:
        if len(self._form.games) > 1:
            choice = ui.select(dict(self._form.games), value=self._form.game, label="Game", on_change=self._change_game)
            choice.props(_STYLE).mark("game")
        for field in self._form.fields:
            self._inputs[field.name] = _input(field)
        self._dice = ui.checkbox("We roll our own dice").mark("own-dice")
        self._save = ui.input("Save as", value=self._form.save).props(f"{_STYLE} maxlength=70").mark("save")
        with ui.expansion("More options").classes("play-more"):
            self._seed = ui.input("Seed of the dice (empty: a random one)").props(f"{_STYLE} maxlength=200")
            label = "Card files to use instead of the project's, separated by spaces"
            self._files = ui.input(label).props(_STYLE)
            self._show_switches("ruling", self._form.rulings)
            self._show_switches("policy", self._form.policies)

    def _show_switches(self, sort: str, switches: tuple[Switch, ...]) -> None:
        for each in switches:
            settings = {name: f"{name}: {words}" for name, words in each.settings}
            choice = ui.select(settings, value=each.current, label=f"{each.name}: {each.question}")
            self._switches[sort, each.name] = choice.props(_STYLE)

    async def _change_game(self, event: Any) -> None:
        try:
            self._form = await self._host.form(event.value)
        except (CardgenError, ProcessError) as error:
            self._fault.text = str(error)
        else:
            self._fill()

    async def _submit(self) -> None:
        missing = [
            _label(field) for field in self._form.fields if field.is_required and not self._inputs[field.name].value
        ]
        self._fault.text = f"Choose {' and '.join(missing)}." if missing else await self._begin(self)

    def order(self) -> BattleOrder:
        """Return what was chosen."""
        values = {field.name: _value(field, self._inputs[field.name].value) for field in self._form.fields}
        return BattleOrder(
            self._form.game,
            {name: value for name, value in values.items() if value not in (None, "", (), False)},
            self._changed("ruling", self._form.rulings),
            self._changed("policy", self._form.policies),
            tuple((self._files.value or "").split()),
            (self._save.value or "").strip(),
            (self._seed.value or "").strip(),
            bool(self._dice.value),
        )

    def _changed(self, sort: str, switches: tuple[Switch, ...]) -> tuple[str, ...]:
        chosen = ((each, self._switches[sort, each.name].value) for each in switches)
        return tuple(f"{each.name}={value}" for each, value in chosen if value != each.current)


def _label(field: FormField) -> str:
    return _SIDES.get(field.name) or field.name.replace("_", " ").replace("-", " ").capitalize()


def _input(field: FormField) -> Any:
    """Return the input for a field, named and explained."""
    label, about = _label(field), field.help
    match field.sort:
        case "flag" | "deck":
            return ui.checkbox(about.rstrip(".")).mark(f"field-{field.name}")
        case "number":
            unit = f" in {field.unit}" if field.unit else ""
            made: Any = ui.number(f"{label}{unit}", min=field.low, max=field.high, precision=0)
        case "word" if not field.options:
            made = ui.input(label)
        case _:
            is_several = field.sort == "cards"
            made = ui.select(dict(field.options), label=label, with_input=True, multiple=is_several, clearable=True)
    return made.props(f"{_STYLE} hint={_quoted(about)}").mark(f"field-{field.name}")


def _quoted(text: str) -> str:
    """Return a text as the value of a property."""
    return '"' + text.replace("\\", "").replace('"', "'") + '"'


def _value(field: FormField, value: Any) -> Any:
    """Return a value as a trial takes it."""
    if field.sort == "number":
        return None if value is None else int(value)
    return tuple(value or ()) if field.sort == "cards" else value
