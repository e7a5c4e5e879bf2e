"""Settings of games: their blocks in cardgen.yaml, and the blocks in force."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType
from typing import Any, Self

from cardgen.validation.base import Model


class GameSettings(Model):
    """The block of a game in cardgen.yaml, under the game's id.

    Every key needs a default, because projects need no block.
    """

    @classmethod
    def in_force(cls) -> Self:
        """Return the block of the project that is read, or the defaults.

        Models keep it if they need it after they were read: `PrivateAttr(default_factory=SomeSettings.in_force)`.
        """
        block = _IN_FORCE.get().get(cls) or _defaults(cls)
        assert isinstance(block, cls)
        return block

    @property
    def generated_icons(self) -> tuple[str, ...]:
        """Names of the icons that are generated unless the project has a file."""
        return ()


Blocks = Mapping[type[GameSettings], GameSettings]
_IN_FORCE: ContextVar[Blocks] = ContextVar("game settings in force", default=MappingProxyType({}))


@cache
def _defaults(model: type[GameSettings]) -> GameSettings:
    return model.model_construct()


@contextmanager
def in_force(blocks: Blocks) -> Iterator[None]:
    """Put the blocks of a project in force, in place of all others."""
    token = _IN_FORCE.set(blocks)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def plain_settings(model: type[GameSettings] | None) -> dict[str, Any]:
    """Return the block in force as plain data, without defaults."""
    return model.in_force().model_dump(mode="json", exclude_defaults=True) if model else {}


def plain_settings_in_force(
    model: type[GameSettings] | None, data: Mapping[str, Any] | None
) -> AbstractContextManager[None]:
    """Put a block of plain data in force; without data, leave the one in force.

    Raises ValidationError for invalid data.
    """
    return nullcontext() if model is None or data is None else in_force({model: model.model_validate(data)})
