"""Runemarks of pieces, without the models of these pieces."""

from typing import Annotated

from pydantic import Field

from cardgen.rulesets.warcry.cards import Runemarks
from cardgen.rulesets.warcry.limits import MarkedModel
from cardgen.rulesets.warcry.runemarks import Runemark


class Marks(MarkedModel):
    """Runemarks that a piece shows."""

    faction: Annotated[Runemark | None, Field(description="its faction runemark, or that of a grand alliance")] = None
    runemarks: Annotated[Runemarks, Field(description="up to three other runemarks; the first is on its front")] = ()

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or ''."""
        return self.settings.alliance_of(self.faction or "")


class MiniatureMarks(Marks):
    """Runemarks of a paper miniature."""
