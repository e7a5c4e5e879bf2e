"""Texts of a reference sheet become column items, line by line."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.export.reference.column_items import ItemContent, TextLine, TypesetItem
from cardgen.export.reference.typography import Typography, leading
from cardgen.reference.document_tree import RichText
from cardgen.sheet.column_balancing import NEVER, ColumnItem
from cardgen.text.galley import Compositor
from cardgen.text.lines import Align, Line, Style
from cardgen.text.markup import Paragraph

# The penalty for a column break between two lines of a paragraph, and between two blocks.
_LINE_PENALTY, BLOCK_PENALTY = 3.0, 1.5


@dataclass(slots=True)
class SettingFaults:
    """Texts with words wider than their column, and missing glyphs."""

    broken_words: list[RichText] = field(default_factory=list)
    missing_glyphs: dict[str, RichText] = field(default_factory=dict)


class TextSetter:
    """Setter of texts at one body size; `faults` collects misfits."""

    def __init__(self, typography: Typography, compositor: Compositor) -> None:
        self.typography = typography
        self.faults = SettingFaults()
        self._compositor = compositor
        self._em = typography.em

    def text(self, prose: RichText, style: Style, x: float, width: float, align: Align = "left") -> list[TypesetItem]:
        """Set paragraphs line by line, without widows and orphans."""
        items: list[TypesetItem] = []
        for paragraph in prose.paragraphs:
            lines = self.lines(prose, paragraph, style, width, align)
            for number, line in enumerate(lines):
                alone = number in (1, len(lines) - 1)
                gap, give = (0.42 * self._em, 0.5 * self._em) if number == 0 else (0.0, 0.0)
                penalty = BLOCK_PENALTY if number == 0 else NEVER if alone else _LINE_PENALTY
                items.append(self.line(line, style, x, gap=gap, give=give, cost=penalty))
        return items

    def line(
        self, line: Line, style: Style, x: float, *, gap: float = 0.0, give: float = 0.0, cost: float = 0.0
    ) -> TypesetItem:
        """Return an item for one line whose baseline is at 0."""
        height = leading(style)
        return ColumnItem(ItemContent((TextLine(line, x, self.baseline(style)),)), height, gap, give, cost)

    def baseline(self, style: Style, height: float | None = None) -> float:
        """Return the depth of the baseline below a line's top.

        With `height`, return it for capitals centered in that height.
        """
        return self._compositor.baseline(style, height)

    def lines(
        self, prose: RichText, paragraph: Paragraph, style: Style, width: float, align: Align = "left"
    ) -> tuple[Line, ...]:
        """Break a paragraph into lines with baselines at 0, recording faults."""
        paragraph_lines = self._compositor.set_paragraph(paragraph, style, width, align)
        if paragraph_lines.has_broken_word:
            self.faults.broken_words.append(prose)
        for character in paragraph_lines.missing:
            self.faults.missing_glyphs.setdefault(character, prose)
        return paragraph_lines.lines

    def single_line(self, paragraph: Paragraph, style: Style) -> tuple[Line, float]:
        """Set a paragraph on one line.

        Return the line and its width in millimeters.
        """
        return self._compositor.set_line(paragraph, style)

    def measure(self, prose: RichText, style: Style) -> tuple[float, float]:
        """Return the width of a text and of its widest word.

        The text is measured on one line, in millimeters.
        """
        widths = [self._compositor.measure(paragraph, style) for paragraph in prose.paragraphs] or [(0.0, 0.0)]
        return max(wanted for wanted, _ in widths), max(needed for _, needed in widths)
