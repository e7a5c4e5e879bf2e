from __future__ import annotations

from itertools import count

from pydantic import BaseModel

from cardgen.face.template.engine import text_function


class Part(BaseModel):
    name: str = ""


def test_the_text_of_a_part_is_made_once() -> None:
    numbers = count()
    text = text_function(lambda part: f"{part} {next(numbers)}")
    part, equal = Part(name="a"), Part(name="a")
    assert [text(part), text(part), text(equal), text(part)] == ["name='a' 0", "name='a' 0", "name='a' 1", "name='a' 0"]


def test_the_text_of_anything_else_is_made_each_time() -> None:
    numbers = count()
    text = text_function(lambda _: str(next(numbers)))
    values = ["a"]
    assert [text(values), text(values), text(None), text(None)] == ["0", "1", "2", "3"]


def test_hardly_any_parts_are_kept() -> None:
    text = text_function(lambda part: f"a part {part.name}")
    parts = [Part(name=str(number)) for number in range(100)]
    first = [text(part) for part in parts]
    assert text(parts[99]) is first[99]
    assert text(parts[0]) is not first[0]
    assert text(parts[0]) == first[0]
