"""Elements that several views share, and the data that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from nicegui.element import Element

from cardgen.studio.option_fields import FieldChoice, OptionField, read_values

Values = Mapping[str, Any]


class OptionForm(Element, component="option_form.js"):  # type: ignore[call-arg]
    """A form of options, whose values are checked when they arrive."""

    def __init__(self, name: str, on_change: Callable[[Values], object]) -> None:
        super().__init__()
        self._form_fields: tuple[OptionField, ...] = ()
        self._props.update(name=name, fields=[], sources={}, initial={})
        self.on("values", lambda event: on_change(self._take(event.args)))
        self.values: dict[str, Any] = {}

    def show(
        self,
        fields: Iterable[OptionField],
        sources: Mapping[str, Iterable[FieldChoice]] | None = None,
        values: Values | None = None,
    ) -> None:
        """Show fields, with choices that several of them share, and those of the values that are theirs."""
        self._form_fields = tuple(fields)
        choices = {name: [asdict(each) for each in every] for name, every in (sources or {}).items()}
        names = {field.name for field in self._form_fields}
        self.values = {name: value for name, value in (values or {}).items() if name in names}
        shown = [asdict(each) for each in self._form_fields]
        self._props.update(fields=shown, sources=choices, initial=dict(self.values))
        self.update()

    def _take(self, given: object) -> Values:
        self.values = read_values(self._form_fields, given if isinstance(given, dict) else {})
        return self.values


class OddsChart(Element, component="odds_view.js"):  # type: ignore[call-arg]
    """Odds tables as bars and numbers."""


class CardRules(Element, component="card_rules.js"):  # type: ignore[call-arg]
    """Sentences and balance of a card."""


class SheetView(Element, component="sheet_view.js"):  # type: ignore[call-arg]
    """Pages of sheets."""


class JobBoard(Element, component="job_board.js"):  # type: ignore[call-arg]
    """Builds and exports with their files."""


def show_data(element: Element, **data: Any) -> None:
    """Show other data in an element."""
    element._props.update(data)
    element.update()
