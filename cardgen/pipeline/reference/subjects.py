"""Subjects of sheets: the lists and groups of cards that a sheet is made for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.card import Card
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.reference.sheet_file import SheetFile
from cardgen.rulesets.reference import CardGroup, GameData, ReferenceContent
from cardgen.validation.suggestion import did_you_mean

Subject: TypeAlias = Card | CardGroup
SheetOfSubject: TypeAlias = tuple[SheetFile, Subject | None]
_OPTION = Place("--of")


@dataclass(frozen=True, slots=True)
class Subjects:
    """The subjects of the sheets of a game."""

    content: ReferenceContent
    data: GameData
    lookup: CardLookup

    def sheets_about(self, sheets: Iterable[SheetFile], name: str) -> list[SheetOfSubject]:
        """Return the sheets that are made for a subject, by its name.

        Raises CardgenError if no sheet is. The problem of a sheet for a list of cards comes first.
        """
        pairs: list[SheetOfSubject] = []
        problems: list[CardgenError] = []
        for sheet in sorted(sheets, key=lambda sheet: sheet.model.each not in self.content.list_kinds):
            if sheet.model.each:
                try:
                    pairs += [(sheet, subject) for subject in self.of_sheet(sheet, name)]
                except CardgenError as error:
                    problems.append(error)
        if problems and not pairs:
            raise problems[0]
        return pairs

    def of_sheet(self, sheet: SheetFile, name: str | None) -> Sequence[Subject | None]:
        """Return the subjects of a sheet, or only None.

        With a name, that is the subject with this name. Raises CardgenError for an unknown name.
        """
        each = sheet.model.each
        if each is None:
            if name:
                message = f"the sheet '{sheet.id}' does not depend on a list of cards such as '{name}'"
                raise CardgenError(Diagnostic(Code.BAD_OPTION, message, _OPTION))
            return (None,)
        if each in self.content.list_kinds:
            return (self.lookup.find(name, (each,), _OPTION).card,) if name else self.data.cards[each]
        if each not in self.content.groups:
            raise self._unknown_kind(sheet, each)
        groups = tuple(self.content.groups[each](self.data))
        return (_find_group(each, groups, name),) if name else [group for group in groups if group.in_use]

    def _unknown_kind(self, sheet: SheetFile, kind: str) -> CardgenError:
        kinds = (*self.content.list_kinds, *self.content.groups)
        message = f"unknown kind of list '{kind}'{did_you_mean(kind, kinds)}"
        advice = f"use one of {', '.join(kinds) or 'none'}"
        return CardgenError(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, sheet.place(("each",)), advice))


def _find_group(kind: str, groups: Sequence[CardGroup], name: str) -> CardGroup:
    """Return the group with an id or name, ignoring case."""
    for group in groups:
        if name.casefold() in (group.id, group.name.casefold()):
            return group
    in_use = [group.name for group in groups if group.in_use]
    message = f"unknown {kind} '{name}'{did_you_mean(name, [group.name for group in groups])}"
    advice = f"use one of {', '.join(in_use)}" if in_use else ""
    raise CardgenError(Diagnostic(Code.UNKNOWN_SHEET_NAME, message, _OPTION, advice))
