"""The table of a battle: its seats, the codes that admit players to them, and who has come in."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.referee import transcript
from cardgen.referee.requests import Scoreboard
from cardgen.referee.transcript import Header
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.user_folders import seal, unseal
from cardgen.studio.page_words import FieldChoice, OptionField

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


class Seating:
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
        # The step whose last answer is to be undone, and the seats that ask for it or agree, in this order.
        self._undo_step, self._undo_places = 0, list[str]()
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

    def agree_to_undo(self, place: str, step: int) -> bool:
        """Note that a seat asks to undo the last answer before a step, or agrees; return whether all players do."""
        if step != self._undo_step:
            self._undo_step, self._undo_places = step, []
        if place not in self._undo_places:
            self._undo_places.append(place)
        return all(each in self._undo_places for each, seat in self.seats.items() if seat.is_taken)

    def undo_places(self, step: int) -> tuple[str, ...]:
        """Return the seats that agree to undo the last answer before a step; the one that asked is the first."""
        return tuple(self._undo_places) if step == self._undo_step else ()

    def is_screen(self, token: str) -> bool:
        """Return whether a token is that of the shared screen."""
        return secrets.compare_digest(token.encode(), self.screen_token.encode())

    def free(self, place: str) -> None:
        """Put everybody out of a seat, and give it and the table other codes, which those put out do not know."""
        self.seats[place].digests.clear()
        self._undo_places = [each for each in self._undo_places if each != place]
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


SAVE_NAME = re.compile(r"[A-Za-z0-9][\w .-]{0,60}\.jsonl", re.ASCII)
TOO_LATE = "the battle has gone on in the meantime; look again"


class SetupForm(NamedTuple):
    """Everything that can be chosen for a new battle of a game; `sources` are the choices that fields share."""

    game: str
    games: tuple[FieldChoice, ...]
    fields: tuple[OptionField, ...]
    sources: Mapping[str, tuple[FieldChoice, ...]]
    rulings: tuple[OptionField, ...]
    policies: tuple[OptionField, ...]
    save: str


class BattleOrder(NamedTuple):
    """A new battle as the form describes it; the seed is '' for a random one."""

    game: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    save: str = ""
    seed: str = ""
    players_roll: bool = False


class SaveRow(NamedTuple):
    """A saved battle that can be resumed."""

    name: str
    title: str
    answers: int


class QuestionState(NamedTuple):
    """The question that waits for a player.

    `kind` is 'choose', 'seal', 'select', 'measure', 'mark', or 'die'. `side` is the place of the side that is asked,
    or None if anybody may answer. `most` limits a selection that can repeat options, except those at the places
    `once`; 0 stands for one without repeats. Of a selection, `low` and `high` are the least and the greatest number of
    options; a `high` of 0 stands for no bounds.
    """

    kind: str
    text: str
    side: int | None
    options: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    marks: tuple[str, ...] = ()
    hint: str = ""
    most: int = 0
    once: tuple[int, ...] = ()

    def is_for(self, side: int | None) -> bool:
        """Return whether a side may answer; None, which is nobody's, never may.

        Every side may answer what names none, except for a secret choice, whose options nobody else must see.
        """
        return side is not None and (self.side == side or (self.side is None and self.kind != "seal"))


class Refused(NamedTuple):
    """Why an answer or an undo was not accepted; `is_forbidden` if it was not for this side to give it."""

    text: str
    is_forbidden: bool = False


class BattleState(NamedTuple):
    """A battle as the engine sees it, with the secrets of each side by its name.

    `step` grows with every answer and undone answer, so that a late answer to another question is noticed. `log` has
    the last lines, each with its kind: 'told', 'event', 'die', or 'undo'. `header` has the cards and rules with which
    the battle began, without a seed.
    """

    title: str
    save: str
    step: int
    sides: tuple[str, ...]
    scoreboard: Scoreboard
    log: tuple[tuple[str, str], ...]
    question: QuestionState | None
    secrets: Mapping[str, tuple[str, ...]]
    outcome: tuple[str, ...]
    notes: tuple[str, ...]
    commitment: str
    can_undo: bool
    header: Header | None = None


_FORMAT = 1
_MOST_BYTES = 64 * 1024
_CODE = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
_DIGEST, _ID, _TOKEN = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{8}"), re.compile(r"[\w-]{43}", re.ASCII)


def path_of(folder: Path, save: str) -> Path:
    """Return the path of the table file of a save. Raises ValueError for a name that no save has."""
    if not SAVE_NAME.fullmatch(save):
        raise ValueError(f"'{save[:80]}' is not a valid name of a save file")
    return folder / f"{save}.table"


def write(folder: Path, save: str, seating: Seating, port: int) -> None:
    """Write the table file of a save. Raises CardgenError if that fails."""
    path = path_of(folder, save)
    seats = [{"name": each.name, "code": each.code, "digests": each.digests} for each in seating.seats.values()]
    data = {"table": _FORMAT, "id": seating.id, "port": port, "code": seating.code, "screen": seating.screen_token}
    content = seal(path.name, json.dumps({**data, "seats": seats}).encode())
    if content is None:
        message = "file cannot be written: there is no folder for settings, in which its key would be"
        raise CardgenError(Diagnostic(Code.UNWRITABLE, message, Place(str(path))))
    atomic_write.write(path, content, is_private=True)


def read(folder: Path, save: str, sides: tuple[str, ...] | None = None) -> tuple[Seating, int] | None:
    """Return the table and port of a save, or None if there is no file of this user for it.

    `sides` are those that the battle must have.
    """
    path = path_of(folder, save)
    content = None
    if not path.is_symlink():
        with suppress(OSError):
            content = unseal(path.name, regular_file.read(path, _MOST_BYTES))
    if content is None:
        return None
    try:
        return _seating_of(transcript.parse_strictly(content.decode()), sides)
    except (ValueError, KeyError, TypeError):  # of another version
        return None


def remove(folder: Path, save: str) -> None:
    """Delete the table file of a battle that is over."""
    with suppress(OSError):
        path_of(folder, save).unlink(missing_ok=True)


def _seating_of(data: Any, sides: tuple[str, ...] | None) -> tuple[Seating, int]:
    """Return the table and port of plain data. Raises ValueError, KeyError, and TypeError."""
    names, port = tuple(each["name"] for each in data["seats"]), data["port"]
    if data["table"] != _FORMAT or type(port) is not int or not 0 <= port <= 65535:
        raise ValueError
    if sides is not None and names != sides:
        raise ValueError
    seating = Seating(names)
    seating.id, seating.code = _matching(_ID, data["id"]), _matching(_CODE, data["code"])
    seating.screen_token = _matching(_TOKEN, data["screen"])
    for seat, each in zip(seating.seats.values(), data["seats"], strict=True):
        seat.code = _matching(_CODE, each["code"])
        seat.digests = [_matching(_DIGEST, digest) for digest in each["digests"][:MOST_TOKENS]]
    return seating, port


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise ValueError
    return text


View = dict[str, Any]


def battle_view(
    state: BattleState, seating: Seating, place: str, problem: str = "", cards: Mapping[str, str] | None = None
) -> View:
    """Return the battle for a page as plain data: for a seat with its secrets, the shared screen, or spectators.

    Only this function decides what leaves the server. `problem` tells why the battle cannot go on, and `cards` are the
    names at which everybody can ask for the card of a unit, by its name.
    """
    side = None if place in (SCREEN, WATCH) else int(place) - 1
    board, names = state.scoreboard, cards or {}
    units = [[{**unit._asdict(), "card": names.get(unit.name, "")} for unit in each.units] for each in board.sides]
    view: View = {
        "title": state.title,
        "save": state.save,
        "step": state.step,
        "time": board.time,
        "sides": [
            {"name": each.name, "score": each.score, "units": own} for each, own in zip(board.sides, units, strict=True)
        ],
        "log": [{"text": text.strip(), "kind": kind} for text, kind in state.log],
        "question": state.question and _question_view(state.question, side),
        "outcome": list(state.outcome),
        "notes": list(state.notes),
        "commitment": state.commitment,
        "canUndo": state.can_undo and side is not None and not state.outcome,
        "undo": [seating.seats[each].name for each in seating.undo_places(state.step)],
        "seats": [
            {"place": each, "name": seat.name, "taken": seat.is_taken, "here": seat.window_count > 0}
            for each, seat in seating.seats.items()
        ],
        "side": side,
        "problem": problem,
    }
    if side is None:
        view["code"] = seating.code if place == SCREEN and not seating.is_over else ""
    else:
        view["secrets"] = list(state.secrets.get(state.sides[side], ()))
        view["seatCode"] = seating.seats[place].code
    return view


def _question_view(question: QuestionState, side: int | None) -> View:
    """Return a question for one side, or for the screen (None); options of others' secret choices are left out."""
    is_mine = question.is_for(side)
    if question.kind == "seal" and not is_mine:
        return {"kind": "seal", "text": question.text, "side": question.side, "mine": False}
    return {
        **question._asdict(),
        "options": list(question.options),
        "marks": list(question.marks),
        "mine": is_mine,
    }
