"""The secret of a match: dice and decisions that nobody sees before their time, and the commitment to them.

Hidden dice don't come from the seed, which the transcript shows, but from a secret of 256 random bits. The header of
the transcript holds its SHA-256 hash (a hash commitment): it fixes the secret, but doesn't tell anything about it. The
last line of the transcript reveals the secret.

A sealed decision is recorded as a random number, and the place of its option, masked with a byte that depends on the
secret, the path of the question, and that number. Without the secret, every option is equally likely, even if the same
question is answered again after an undo.
"""

from __future__ import annotations

import re
import secrets
from hashlib import sha256, shake_256

from cardgen.referee.answer_check import InvalidAnswerError
from cardgen.referee.play import AnswerSource, SealedAnswer, seeded_face
from cardgen.referee.requests import Answer, Question, SealedDecision, is_hidden


class MissingSecretError(LookupError):
    """A hidden die or sealed decision without the secret that it needs."""


_SECRET = re.compile("[0-9a-f]{64}")
_NUMBER_BYTES = 8


def new_secret() -> str:
    """Return an unpredictable secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Return whether a text has the form of a secret."""
    return isinstance(text, str) and bool(_SECRET.fullmatch(text))


def commitment(secret: str) -> str:
    """Return the SHA-256 hash of a secret's digits."""
    return sha256(secret.encode()).hexdigest()


def seal(secret: str, path: str, question: SealedDecision, option: str) -> str:
    """Return the sealed text of an option: a random number, and the masked place of the option."""
    number = secrets.token_hex(_NUMBER_BYTES)
    return f"{number}{(question.options.index(option) + _mask(secret, path, number)) % 256:02x}"


def unseal(secret: str, path: str, question: SealedDecision, text: str) -> str:
    """Return the option of a sealed text. Raises InvalidAnswerError if it opens to none."""
    number, masked = text[:-2], int(text[-2:], 16)
    place = (masked - _mask(secret, path, number)) % 256
    if place >= len(question.options):
        raise InvalidAnswerError(f"{question.what}: sealed answer does not open to an option")
    return question.options[place]


def _mask(secret: str, path: str, number: str) -> int:
    return shake_256(f"seal {secret} {number} {path}".encode()).digest(1)[0]


def with_secrets(answer: AnswerSource, secret: str | None) -> AnswerSource:
    """Return a source that derives hidden dice from the secret, and opens sealed answers with it.

    It raises MissingSecretError for these if the secret is None, and InvalidAnswerError for text that does not open to
    an option.
    """

    def answer_or_derive(path: str, question: Question) -> Answer | SealedAnswer:
        if not (isinstance(question, SealedDecision) or is_hidden(question)):
            return answer(path, question)
        if secret is None:
            raise MissingSecretError(question.what)
        if isinstance(question, SealedDecision):
            text = str(answer(path, question))
            return SealedAnswer(text, unseal(secret, path, question, text))
        return seeded_face(secret, path, question.sides)

    return answer_or_derive
