"""The Game Crafter: pictures in the pixels of its decks, and their upload on request."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote, urlencode, urlsplit

from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.project.project import CardSize
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.print import pieces
from cardgen.target.print.pieces import PrintProfile
from cardgen.units import MM_PER_INCH, Shape, Size
from cardgen.validation.base import Flag, Int, Model, Text

# Metric sizes of cards differ from those of the decks, which are in inches, by at most this many millimeters.
_TOLERANCE = 0.7


class DeckProduct(Model):
    """A kind of deck: its name in the service's API, the pixels of its pictures at 300 dpi, and its trim size.

    The name is also that of a folder.
    """

    identity: Annotated[Text, Field(pattern="^[A-Za-z0-9]+$", max_length=80)]
    width: Annotated[Int, Field(ge=100, le=10_000)]
    height: Annotated[Int, Field(ge=100, le=10_000)]
    trim: CardSize
    round: Flag = False


class TgcProfile(PrintProfile):
    """Requirements of The Game Crafter; the first deck of a card's size is used."""

    decks: Annotated[tuple[DeckProduct, ...], Field(min_length=1)]


Profile = TgcProfile


def export(job: ExportJob[TgcProfile]) -> Outcome:
    """Add the pictures of each deck, and upload them if the job asks for it.

    Raises CardgenError if no card has the size of a deck, and if the upload fails.
    """
    sizes: dict[bool, list[Size]] = {False: [], True: []}
    for deck in job.profile.decks:
        sizes[deck.round].append(deck.trim)
    selection = pieces.select(job, sizes[False], round_sizes=sizes[True], tolerance=_TOLERANCE)
    uploads: list[DeckUpload] = []
    for product in job.profile.decks:
        cards = [card for card in selection.cards if _product_of(job.profile, card) is product]
        if cards:
            uploads.append(_add_deck(job, product, cards))
    counts = {"decks": len(uploads), "pictures": sum(len(each.pictures) for each in uploads)}
    if job.options.get("upload"):
        address = upload(job.title, uploads, job.progress.step)
        return Outcome(counts, selection.notes, f"check the proofs, then order: {address}", selection.skipped)
    next_step = "upload the pictures by hand, or export again with --upload"
    return Outcome(counts, selection.notes, next_step, selection.skipped)


def _product_of(profile: TgcProfile, card: RenderedCard) -> DeckProduct | None:
    is_round = card.piece.shape is Shape.ROUND
    matches = (
        deck for deck in profile.decks if deck.round == is_round and pieces.same_size(card.size, deck.trim, _TOLERANCE)
    )
    return next(matches, None)


def _add_deck(job: ExportJob[TgcProfile], product: DeckProduct, cards: list[RenderedCard]) -> DeckUpload:
    """Add the pictures of one deck to the output, and return what to upload."""
    size = pieces.PixelSize(product.width, product.height)
    smallest = Size(*map(min, *(_as_deck(card.size, product) for card in cards), product.trim))
    bleed = max((pixels / 300 * MM_PER_INCH - side) / 2 for pixels, side in zip(size, smallest, strict=True))
    picture = job.pictures(faces_of(cards), 300, bleed)
    names: dict[int, str] = {}
    files: dict[str, bytes] = {}
    for number, card in enumerate(cards, 1):
        for side, face in (("front", card.piece.front), ("back", card.piece.back)):
            if face is not None and id(face) not in names:
                name = names[id(face)] = f"{product.identity}/{number:03}-{card.entry.card.id}-{side}.png"
                files[name] = _picture(picture(face), size, face.size, product.trim, job)
    for name, content in files.items():
        job.output.add(name, content)
    backs = Counter(names[id(card.piece.back)] for card in cards if card.piece.back)
    rows = tuple(_rows(job, cards, names))
    return DeckUpload(product.identity, files, rows, backs.most_common(1)[0][0] if backs else None)


def _as_deck(card: Size, product: DeckProduct) -> Size:
    """Return the size of a card, turned as the cards of the deck are."""
    return card if card.is_landscape == product.trim.is_landscape else card.swap_sides()


def _picture(content: bytes, size: pieces.PixelSize, card: Size, trim: Size, job: ExportJob[TgcProfile]) -> bytes:
    """Return a picture in the pixels of the deck; a card that lies on its side is turned."""
    turned = card.is_landscape != trim.is_landscape
    wanted = pieces.PixelSize(size.height, size.width) if turned else size
    image = pieces.cropped(content, wanted)
    return pieces.encoded(image.rotate(90, expand=True) if turned else image, "PNG", 300)


def _rows(
    job: ExportJob[TgcProfile], cards: list[RenderedCard], names: dict[int, str]
) -> Iterator[tuple[str, int, str, str | None]]:
    """Yield name, copies, front, and back of each card."""
    for card in cards:
        back: Face | None = card.piece.back
        yield card.entry.card.name, job.copies(card), names[id(card.piece.front)], names[id(back)] if back else None


# Client of The Game Crafter's API. Nothing else in the program talks to a network.
# The key and the account come from environment variables, and are sent to the service only.

API = "https://www.thegamecrafter.com"
ADDRESS_VARIABLE = "CARDGEN_TGC_URL"
KEY_VARIABLE, USER_VARIABLE, PASSWORD_VARIABLE = "CARDGEN_TGC_KEY", "CARDGEN_TGC_USER", "CARDGEN_TGC_PASSWORD"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECONDS = 60
_MAX_ANSWER = 4 * 2**20
# The service takes at most this many cards in one request.
_BATCH = 100


@dataclass(frozen=True, slots=True)
class DeckUpload:
    """A deck to create: its kind, its pictures by path, and its cards.

    `cards` holds name, copies, front, and back of each card; `back` is the picture of the deck's back.
    """

    identity: str
    pictures: Mapping[str, bytes]
    cards: Sequence[tuple[str, int, str, str | None]]
    back: str | None


def upload(title: str, decks: Sequence[DeckUpload], on_step: Callable[[str], None]) -> str:
    """Create a game with decks, and return the address of its page.

    Raises CardgenError if a variable is missing, or if the service refuses a request.
    """
    # The address of the service; another one must be this computer, or use HTTPS.
    address = os.environ.get(ADDRESS_VARIABLE, API).rstrip("/")
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        message = "the address must start with https://"
        raise CardgenError(Diagnostic(Code.UPLOAD_FAILED, message, Place(ADDRESS_VARIABLE), "correct it, or unset it"))
    client = _Client(address, on_step)
    user = client.log_in(*(_variable(name) for name in (KEY_VARIABLE, USER_VARIABLE, PASSWORD_VARIABLE)))
    try:
        account = client.get(f"user/{quote(user)}")
        designer = client.get(f"user/{quote(user)}/designers")["items"][0]["id"]
        game = client.post("game", name=title, designer_id=designer)["id"]
        folder = client.post("folder", name=title, user_id=user, parent_id=account["root_folder_id"])["id"]
        for deck in decks:
            client.add_deck(deck, game, folder)
    except (KeyError, IndexError, TypeError):
        raise _failure("the service answered in an unknown form") from None
    finally:
        client.log_out()
    return f"{client.address}/publish/editor/{quote(game)}"


def _variable(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        advice = f"set {KEY_VARIABLE}, {USER_VARIABLE}, and {PASSWORD_VARIABLE}; a key is free in your account"
        raise CardgenError(Diagnostic(Code.UPLOAD_FAILED, f"--upload needs the variable {name}", Place(name), advice))
    return value


def _failure(message: str) -> CardgenError:
    advice = "the pictures can be exported without --upload, and uploaded by hand"
    return CardgenError(Diagnostic(Code.UPLOAD_FAILED, message, Place("--upload"), advice))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which could send the key elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Client:
    def __init__(self, address: str, on_step: Callable[[str], None]) -> None:
        self.address = address
        self._on_step = on_step
        self._session = ""
        self._opener = urllib.request.build_opener(_NoRedirects)

    def log_in(self, key: str, user: str, password: str) -> str:
        """Open a session, and return the id of the user."""
        result = self.post("session", api_key_id=key, username=user, password=password)
        try:
            self._session = str(result["id"])
            return str(result["user_id"])
        except (KeyError, TypeError):
            raise _failure("the service answered in an unknown form") from None

    def log_out(self) -> None:
        """Close the session."""
        self._send("DELETE", f"session/{quote(self._session)}", b"", "application/x-www-form-urlencoded")

    def get(self, route: str) -> Any:
        """Return the result of a route."""
        return self._send("GET", f"{route}?{urlencode({'session_id': self._session})}")

    def post(self, route: str, **values: object) -> Any:
        """Create something, and return it."""
        fields = {"session_id": self._session} if self._session else {}
        content = urlencode({**fields, **{key: str(value) for key, value in values.items() if value is not None}})
        return self._send("POST", route, content.encode(), "application/x-www-form-urlencoded")

    def add_deck(self, deck: DeckUpload, game: str, folder: str) -> None:
        """Upload the pictures of a deck, and create it with its cards."""
        ids = {name: self._add_file(name, content, folder) for name, content in deck.pictures.items()}
        back = ids[deck.back] if deck.back else None
        created = self.post("deck", name=deck.identity, game_id=game, identity=deck.identity, quantity=1, back_id=back)
        cards: list[dict[str, object]] = []
        for row in deck.cards:
            name, copies, front, back = row
            card: dict[str, object] = {"name": name, "quantity": copies, "face_id": ids[front], "back_from": "Deck"}
            if back and back != deck.back:
                card |= {"back_from": "Card", "back_id": ids[back]}
            cards.append(card)
        for start in range(0, len(cards), _BATCH):
            body = json.dumps({"session_id": self._session, "cards": cards[start : start + _BATCH]}).encode()
            self._send("POST", f"deck/{quote(str(created['id']))}/bulk-cards", body, "application/json")

    def _add_file(self, name: str, content: bytes, folder: str) -> str:
        boundary = hashlib.sha256(content).hexdigest()
        fields = {"session_id": self._session, "folder_id": folder, "name": name.rpartition("/")[2]}
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in fields.items()
        ]
        head = f'form-data; name="file"; filename="{fields["name"]}"\r\nContent-Type: image/png'
        parts.append(f"--{boundary}\r\nContent-Disposition: {head}\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        result = self._send("POST", "file", body, f"multipart/form-data; boundary={boundary}")
        self._on_step("upload")
        return str(result["id"])

    def _send(self, method: str, route: str, body: bytes | None = None, kind: str = "") -> Any:
        request = urllib.request.Request(f"{self.address}/api/{route}", body, method=method)
        if kind:
            request.add_header("Content-Type", kind)
        try:
            with self._opener.open(request, timeout=_SECONDS) as answer:
                return json.loads(answer.read(_MAX_ANSWER))["result"]
        except urllib.error.HTTPError as error:
            raise _failure(f"the service refused the request '{route.partition('?')[0]}': {_reason(error)}") from None
        except (OSError, http.client.HTTPException) as error:
            raise _failure(f"the service cannot be reached: {getattr(error, 'reason', error)}") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _failure("the service answered in an unknown form") from None


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.loads(error.read(_MAX_ANSWER))["error"]["message"])[:200]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return f"status {error.code}"
    finally:
        error.close()
