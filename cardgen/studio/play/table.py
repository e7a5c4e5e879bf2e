"""The table of a battle: its seats, the codes that admit players to them, and who has come in."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

# Letters and digits that nobody confuses, on paper or aloud.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 6
# The shared screen, which shows how to join, and the page of spectators, which anybody may open: neither is a seat.
SCREEN, WATCH = "screen", "watch"
SCREEN_NAME = "Shared screen"
_TOKEN_BYTES, _ID_BYTES = 32, 4
# Windows of a player that can come in; the code of the seat, which only the player sees, admits no more.
MOST_TOKENS = 16
# Wrong codes within the time: of one address, and of all together.
TRY_SECONDS, MOST_TRIES, MOST_TRIES_OF_ALL = 60.0, 5, 60


def new_code() -> str:
    """Return an unpredictable code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def plain_code(text: str) -> str:
    """Return a code as it was typed, without spaces and hyphens, in capitals."""
    return "".join(text.split()).replace("-", "").upper()


class JoinError(Exception):
    """A code that admits nobody, a seat that is taken, or too many attempts.

    `status` is that of the answer in HTTP.
    """

    def __init__(self, message: str, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


@dataclass(slots=True)
class Seat:
    """The seat of a player: the side it is for, the windows that came in, and a code that admits only to it.

    `digests` are the SHA-256 digests of the windows' tokens, in hexadecimal digits; the tokens themselves are known to
    the browsers only. `window_count` counts the windows that are connected now.
    """

    name: str
    code: str = field(default_factory=new_code)
    digests: list[str] = field(default_factory=list)
    window_count: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether a player has come in."""
        return bool(self.digests)

    def admit(self) -> str:
        """Return a token for one more window. Raises JoinError after too many; those that came in keep the seat."""
        if len(self.digests) >= MOST_TOKENS:
            message = "Too many windows have come in to this seat; the studio can free the seat."
            raise JoinError(message, 409)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.digests.append(_digest(token))
        return token

    def knows(self, token: str) -> bool:
        """Return whether a token is that of one of its windows."""
        return _digest(token) in self.digests


class Table:
    """The seats of a battle by their paths, '1', '2', and so on, and its shared screen.

    The code of the table admits to the shared screen and to a seat that nobody has taken; the code of a seat, which
    only its player sees, admits more windows of the same player. `id` tells the cookies of several battles apart.
    `screen_token` lets a window show the code of the table; all windows of the shared screen have the same, so that
    none can put out another. `watcher_count` counts the windows that watch without a seat.
    """

    def __init__(self, sides: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self.id = secrets.token_hex(_ID_BYTES)
        self.code = new_code()
        self.screen_token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.seats = {str(number): Seat(name) for number, name in enumerate(sides, 1)}
        self.watcher_count = 0
        self.is_over = False
        self._clock = clock
        self._tries: dict[str, deque[float]] = defaultdict(deque)

    def places(self, code: str, address: str) -> list[str]:
        """Return the seats to which a code admits. Raises JoinError for a wrong one, and after too many."""
        self._require_few_tries(address)
        given = plain_code(code).encode()
        own = [place for place, seat in self.seats.items() if secrets.compare_digest(given, seat.code.encode())]
        is_right = secrets.compare_digest(given, self.code.encode())
        if self.is_over or not (own or is_right):
            for each in (address, ""):
                self._tries[each].append(self._clock())
            raise JoinError("This code is wrong, or its battle is over.")
        return own or [*self.seats, SCREEN]

    def join(self, place: str, code: str, address: str, token: str = "") -> str:
        """Take a seat; return the token of the window. Raises JoinError.

        A window that has come in before, with its `token`, keeps it.
        """
        seat = self.seats.get(place)
        if seat and seat.knows(token):
            return token
        places = self.places(code, address)
        if place not in places:
            raise JoinError("There is no such seat.", 404)
        if seat is None:
            return self.screen_token
        if seat.is_taken and plain_code(code) != seat.code:
            raise JoinError(
                "This seat is taken. Its player sees a code for more windows; the studio can free the seat.", 409
            )
        return seat.admit()

    def seat_of(self, place: str, token: str) -> Seat | None:
        """Return the seat at a place if the token is one of its own."""
        seat = self.seats.get(place)
        return seat if seat and seat.knows(token) else None

    def is_screen(self, token: str) -> bool:
        """Return whether a token is that of the shared screen."""
        return secrets.compare_digest(token.encode(), self.screen_token.encode())

    def free(self, place: str) -> None:
        """Put everybody out of a seat, and give it and the table other codes, which those put out do not know."""
        self.seats[place].digests.clear()
        self.seats[place].code, self.code = new_code(), new_code()

    def _require_few_tries(self, address: str) -> None:
        """Raise JoinError after too many wrong codes."""
        since = self._clock() - TRY_SECONDS
        for each in [*self._tries]:
            while self._tries[each] and self._tries[each][0] < since:
                self._tries[each].popleft()
            if not self._tries[each]:
                del self._tries[each]
        few = {address: MOST_TRIES, "": MOST_TRIES_OF_ALL}
        if any(len(self._tries[each]) >= most for each, most in few.items() if each in self._tries):
            raise JoinError("Too many wrong codes; wait a minute.", 429)


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
