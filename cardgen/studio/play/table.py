"""The table of a battle: its seats, the codes that admit players to them, and who has come in."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

# Letters and digits that nobody confuses, on paper or aloud.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 6
SCREEN = "screen"
_TOKEN_BYTES = 32
_MOST_TOKENS = 16
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
    """A seat, or the shared screen: who it is for, the tokens of its windows, and a code that admits only to it.

    `window_count` counts the windows that are connected now.
    """

    name: str
    code: str = field(default_factory=new_code)
    tokens: list[str] = field(default_factory=list)
    window_count: int = 0

    @property
    def is_taken(self) -> bool:
        """Whether a player has come in."""
        return bool(self.tokens)

    def admit(self) -> str:
        """Return a token for one more window; the oldest ones become void."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self.tokens = [*self.tokens[1 - _MOST_TOKENS :], token]
        return token

    def knows(self, token: str) -> bool:
        """Return whether a token is one of its own."""
        return any(secrets.compare_digest(token.encode(), each.encode()) for each in self.tokens)


class Table:
    """The seats of a battle and its shared screen, by their paths: '1', '2', and 'screen'.

    The code of the table admits to the screen and to a seat that nobody has taken; the code of a seat, which only its
    player sees, admits more windows of the same player.
    """

    def __init__(self, sides: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self.code = new_code()
        self.seats = {str(number): Seat(name) for number, name in enumerate(sides, 1)}
        self.seats[SCREEN] = Seat("Shared screen")
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
        return own or list(self.seats)

    def join(self, place: str, code: str, address: str) -> str:
        """Take a seat; return the token of the window. Raises JoinError."""
        places = self.places(code, address)
        seat = self.seats.get(place)
        if seat is None or place not in places:
            raise JoinError("There is no such seat.", 404)
        if seat.is_taken and place != SCREEN and plain_code(code) != seat.code:
            raise JoinError(
                "This seat is taken. Its player sees a code for more windows; the studio can free the seat.", 409
            )
        return seat.admit()

    def seat_of(self, place: str, token: str) -> Seat | None:
        """Return the seat at a place if the token is one of its own."""
        seat = self.seats.get(place)
        return seat if seat and seat.knows(token) else None

    def free(self, place: str) -> None:
        """Put everybody out of a seat, and give it another code."""
        self.seats[place].tokens.clear()
        self.seats[place].code = new_code()

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
