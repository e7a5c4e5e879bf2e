"""The screen of one player: shows what others must not see, and leaves no traces on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cardgen.pipeline.referee.session import Prompt
from cardgen.referee.requests import SecretLog

# The terminal's second screen leaves no traces in its history; blank lines scroll secrets away where there is none.
SECOND_SCREEN, FIRST_SCREEN = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
BLANK_SCREEN = "\n" * 60


class SecretScreen:
    """The secrets of each side, and the second screen on which they are shown."""

    def __init__(self, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]) -> None:
        self._prompt, self._tell, self._steer = prompt, tell, steer
        self._secrets: dict[str, list[str]] = {}

    @property
    def has_secrets(self) -> bool:
        """Whether a side has secrets."""
        return bool(self._secrets)

    def keep(self, secret: SecretLog) -> None:
        """Remember a secret of a side."""
        self._secrets.setdefault(secret.who, []).append(secret.text)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Use the second screen, and clear it in the end."""
        self._steer(f"{SECOND_SCREEN}\n")
        try:
            yield
        finally:
            self._steer(f"{BLANK_SCREEN}{FIRST_SCREEN}\n")

    def show(self) -> None:
        """Show one side its secrets, then scroll them off the screen."""
        sides = tuple(self._secrets)
        if not sides:
            self._tell("  no side has secrets in this match")
            return
        for number, side in enumerate(sides, 1):
            self._tell(f"  {number}. {side}")
        word = self._prompt("whose secrets? Other players must look away.").strip()
        if not (word.isdecimal() and 1 <= int(word) <= len(sides)):
            self._tell("  enter the number of a side")
            return
        with self.opened():
            for line in self._secrets[sides[int(word) - 1]]:
                self._tell(f"  {line}")
            self._prompt("press Enter to hide the secrets")
