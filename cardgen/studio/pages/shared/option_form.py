"""Forms of options, whose values are checked when they arrive from the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from nicegui.element import Element

from cardgen.studio.page_words import FieldChoice, OptionField, read_values

Values = Mapping[str, Any]


class OptionForm(Element, component="option_form.js"):  # type: ignore[call-arg]
    """A form of options. `on_change` gets the values after each change; `on_submit` is called for the Enter key."""

    def __init__(
        self,
        name: str,
        on_change: Callable[[Values], object] = lambda _: None,
        on_submit: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self._form_fields: tuple[OptionField, ...] = ()
        self._props.update(name=name, fields=[], sources={}, initial={})
        self.on("values", lambda event: on_change(self._take(event.args)))
        if on_submit:
            self.on("submit-form", lambda _: on_submit())
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
