"""Exports for digital tables, print services, and cutters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import ui

from cardgen.studio.jobs.job_data import OUTPUT
from cardgen.studio.jobs.job_request import EXPORT, JobRequest, build_options
from cardgen.studio.option_fields import CHOICE, FieldChoice, OptionField
from cardgen.studio.pages.print.job_board import JobsOfPage
from cardgen.studio.pages.shared.elements import button_row, plain_button, title
from cardgen.studio.pages.shared.option_form import OptionForm, Values
from cardgen.studio.studio import Studio
from cardgen.target.output_folder import part_folder


class ExportView:
    """The form of an export, and its files."""

    def __init__(self, studio: Studio, form: Any) -> None:
        self._studio = studio
        self._targets = {each.name: each for each in form.exports}
        self._form = form
        with ui.element("div").classes("beside"):
            with ui.element("section").classes("print-form").props('aria-label="Options"'):
                title("Export")
                self._target = OptionForm("Program or service", self._target_changed)
                self._about = ui.label().classes("option-help")
                self._own = OptionForm("Options of the target")
                self._cards = OptionForm("Cards")
                with button_row():
                    plain_button("Export", self._export, "primary").mark("export")
            with ui.element("div").classes("print-sheets"):
                JobsOfPage(studio)
        choices = tuple(FieldChoice(each.name, each.title) for each in form.exports)
        field = OptionField("target", "Target", CHOICE, choices=choices, is_required=True)
        self._target.show([field], values={"target": choices[0].value})
        themes = [each for each in form.paper if each.name in ("theme", "no_backs")]
        self._cards.show((*form.cards, *themes, *(each for each in form.rare if each.name == "changed_since")))
        self._show_target(choices[0].value)

    def _target_changed(self, values: Values) -> None:
        self._show_target(values.get("target", ""))

    def _show_target(self, name: str) -> None:
        if name in self._targets:
            self._about.text = self._targets[name].about
            self._own.show(self._targets[name].fields)

    def _export(self) -> None:
        name = self._target.values.get("target", "")
        if name not in self._targets:
            return
        options = build_options({**self._cards.values, **self._own.values})
        folder = part_folder(Path(OUTPUT, name), options).as_posix()
        request = JobRequest(EXPORT, str(self._studio.root), folder, options, name)
        self._studio.jobs.start(f"Export: {self._targets[name].title}", request)
