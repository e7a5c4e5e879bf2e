"""Settings of games: their blocks in cardgen.yaml."""

from collections.abc import Mapping
from typing import Any, Self, cast

from cardgen.runtime.workspace import SettledData, Workspace, with_settings
from cardgen.validation.base import Model, once_per_model


class GameSettings(Model):
    """The block of a game in cardgen.yaml, under the game's id.

    Every key needs a default, because projects need no block.
    """

    @classmethod
    def of(cls, context: object) -> Self:
        """Return the block of a project, or the defaults.

        `context` is a workspace, the plain data of a card in a trial, or the block itself. Models get one of these as
        the context of their validation, and keep the block if they need it later.
        """
        if isinstance(context, Workspace):
            context = (context.game_settings or {}).get(cls)
        elif isinstance(context, SettledData):
            context = context.settings
        return context if isinstance(context, cls) else cast(Self, _defaults(cls))

    @property
    def generated_icons(self) -> tuple[str, ...]:
        """Names of the icons that are generated unless the project has a file."""
        return ()


@once_per_model
def _defaults(model: type[GameSettings]) -> GameSettings:
    return model.model_construct()


def plain_settings(model: type[GameSettings] | None, context: object) -> dict[str, Any]:
    """Return the block of a workspace's project as plain data, without defaults."""
    return model.of(context).model_dump(mode="json", exclude_defaults=True) if model else {}


def settled(value: Any, model: type[GameSettings] | None, context: object) -> Any:
    """Return a value of a situation, whose plain data of cards have the block of a project, if the game has blocks."""
    return with_settings(value, model.of(context)) if model else value


def settings_of(model: type[GameSettings] | None, data: Mapping[str, Any]) -> GameSettings | None:
    """Return the block of plain data. Raises ValidationError for invalid data."""
    return model.model_validate(data) if model else None
