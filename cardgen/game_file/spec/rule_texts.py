"""Glossary and rulings of a game file."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from cardgen.game_file.spec.names import KindName
from cardgen.validation.base import Flag, Model, Text


class TermSpec(Model):
    """A term of the glossary. The short form is its meaning.

    `forms` are further forms of the term; one that begins with a lowercase letter is also an everyday word.
    """

    means: Annotated[Text, Field(description="definition of the term, as one or more sentences")]
    forms: Annotated[tuple[Text, ...], Field(max_length=50, description="forms of the term in sentences")] = ()
    bold: Annotated[Flag, Field(description="print the term in bold on cards")] = False

    @model_validator(mode="before")
    @classmethod
    def _from_meaning(cls, data: Any) -> Any:
        return {"means": data} if isinstance(data, str) else data


class RulingSpec(Model):
    """A question that the rules leave open, with a sentence for each answer; the first answer is the default."""

    question: Annotated[Text, Field(description="the question that the rules leave open")]
    settings: Annotated[
        Mapping[KindName, Text], Field(min_length=2, max_length=20, description="answers by name; the first applies")
    ]
