"""The secret of a match: the dice that nobody sees before its end, and the commitment to them.

Hidden dice don't come from the seed, which the transcript shows, but from a secret of 256 random bits. The header of
the transcript holds its SHA-256 hash (a hash commitment): it fixes the secret, but doesn't tell anything about it. The
last line of the transcript reveals the secret.
"""

from __future__ import annotations

import re
import secrets
from hashlib import sha256

from cardgen.referee.play import AnswerSource, seeded_face
from cardgen.referee.requests import Answer, Question, is_hidden


class MissingSecretError(LookupError):
    """A hidden die without a secret from which to derive it."""


_SECRET = re.compile("[0-9a-f]{64}")


def new_secret() -> str:
    """Return an unpredictable secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Return whether a text has the form of a secret."""
    return isinstance(text, str) and bool(_SECRET.fullmatch(text))


def commitment(secret: str) -> str:
    """Return the SHA-256 hash of a secret's digits."""
    return sha256(secret.encode()).hexdigest()


def with_hidden_dice(answer: AnswerSource, secret: str | None) -> AnswerSource:
    """Return a source that derives hidden dice from the secret, and takes other answers from `answer`.

    It raises MissingSecretError for a hidden die if the secret is None.
    """

    def answer_or_derive(path: str, question: Question) -> Answer:
        if not is_hidden(question):
            return answer(path, question)
        if secret is None:
            raise MissingSecretError(question.what)
        return seeded_face(secret, path, question.sides)

    return answer_or_derive
