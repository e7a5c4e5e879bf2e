"""The weapon line: name, type, and numbers, in full or in shorthand."""

import re
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator

from cardgen.game import MAX_NAME_LENGTH, Field, Int, IntRange, LimitRule, OneOf, ShorthandModel, Text
from cardgen.rulesets.warniris import rulebook

WEAPON_TYPES = ("CW", "RW", "P")
NUMBER_LETTERS = {
    "R": ("range", IntRange(0, rulebook.TABLE_DIAGONAL, rulebook.PROFILE)),
    "P": ("penetration", IntRange(0, 10, rulebook.PROFILE)),
    "D": ("damage", IntRange(0, 30, rulebook.PROFILE)),
    "H": ("healing", IntRange(0, 30, rulebook.PROFILE)),
}


def type_advice(word: str) -> str:
    """Return the help for an unknown type; the rulebook's mission 14 mentions 'MW'."""
    upper = word.upper()
    if upper == "MW":
        return f"ruling mission-14-type: MW means a Combat Weapon, CW; {rulebook.WEAPON_TYPE.help}"
    return f"did you mean '{upper}'?" if upper in WEAPON_TYPES else rulebook.WEAPON_TYPE.help


_KNOWN_TYPE = OneOf(WEAPON_TYPES, rulebook.WEAPON_TYPE, type_advice)
WeaponType = Annotated[Literal["CW", "RW", "P"], _KNOWN_TYPE]


def _line_pattern() -> str:
    """Return the pattern of a line: the type, then each letter at most once."""
    numbers = {
        letter: "|".join(map(str, range(limit.low, limit.high + 1))) for letter, (_, limit) in NUMBER_LETTERS.items()
    }
    once = "".join(f"(?!.* {letter}.* {letter})" for letter in NUMBER_LETTERS)
    value = "|".join(f"{letter}(?:{number})" for letter, number in numbers.items())
    return f"^{once}(?:{'|'.join(WEAPON_TYPES)})(?: (?:{value}))*$"


LINE_PATTERN = _line_pattern()
_NUMBER_PATTERN = re.compile(r"([A-Z])(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"([RPDH])([0-9]{1,4})[.,]([0-9]{1,4})")
_MEASURED = re.compile(r"(R[0-9]{1,4}) ?(?:MM|CM|M|IN|INCH|INCHES|\"|''|FT)")


@lru_cache(maxsize=1024)
def _parse_number(part: str) -> tuple[str, int] | None:
    """Return the letter and the number of 'R15', or None if invalid."""
    match = _NUMBER_PATTERN.fullmatch(part)
    return (match[1], int(match[2][:9])) if match and match[1] in NUMBER_LETTERS else None


def _number_help(part: str) -> dict[str, str]:
    """Return the help for a part that is almost valid: 'R1,', 'r1', 'R:1', 'R3,5', or 'R8cm'."""
    if decimal := _DECIMAL.fullmatch(part.upper()):
        letter, whole, rest = decimal.groups()
        advice = f"write {letter}{whole}{rest} if '{part[-len(rest) - 1]}' is a slip, or round {whole}.{rest}"
        return {"help": f"numbers are whole: {advice}"}
    if measured := _MEASURED.fullmatch(part.upper()):
        return {"help": f"write {measured[1]}, without the unit; R is in cm"}
    bare = re.sub(r"[\W_]", "", part).upper()
    parsed = _parse_number(bare)
    return {"help": f"write {bare}, and separate the parts with single spaces: CW R1 P2 D2"} if parsed else {}


WeaponName = Annotated[Text, Field(max_length=MAX_NAME_LENGTH), AfterValidator(lambda name: " ".join(name.split()))]


def is_same_name(name: str, other: str) -> bool:
    """Whether two names of weapons differ in capitals, spaces, and hyphens at most."""
    return _plain_name(name) == _plain_name(other)


@lru_cache(maxsize=1024)
def _plain_name(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


class Profile(ShorthandModel):
    """A weapon or power (section 1: Weapon/Power attributes).

    Range is in cm; a number missing from the line is 0. Also accepts the shorthand `NAME: TYPE Rn Pn Dn Hn`.
    """

    TITLE: ClassVar[str] = "NAME: TYPE Rn Pn Dn Hn"
    PATTERN: ClassVar[str] = LINE_PATTERN
    MAP_RULE: ClassVar[LimitRule | None] = rulebook.WEAPON_LINE

    name: Annotated[WeaponName, Field(description="its name")]
    type: Annotated[WeaponType, Field(description="CW (combat weapon), RW (ranged weapon), or P (power)")]
    range: Annotated[Int, NUMBER_LETTERS["R"][1], Field(description="R, in cm")] = 0
    penetration: Annotated[
        Int, NUMBER_LETTERS["P"][1], Field(description="P, subtracted from the target's Body or Spirit")
    ] = 0
    damage: Annotated[Int, NUMBER_LETTERS["D"][1], Field(description="D, wounds lost")] = 0
    healing: Annotated[Int, NUMBER_LETTERS["H"][1], Field(description="H, wounds restored")] = 0

    @classmethod
    def parse_line(cls, name: str, line: str, context: object) -> dict[str, Any]:
        """Return the fields of 'Rifle: RW R15 P1 D1'."""
        kind, *parts = line.split(" ")
        fields: dict[str, Any] = {"name": name, "type": _KNOWN_TYPE.check(kind, (name,))}
        for part in parts:
            parsed = _parse_number(part)
            if parsed is None:
                message = "'{part}' is not a valid Rn, Pn, Dn, or Hn"
                raise rulebook.WEAPON_LINE.error(message, part=part, path=(name,), **_number_help(part))
            letter, number = parsed
            field, limit = NUMBER_LETTERS[letter]
            if field in fields:
                raise rulebook.WEAPON_LINE.error("repeated letter {letter}", letter=letter, path=(name,))
            fields[field] = limit.check(number, (name,))
        return fields

    @property
    def precedence(self) -> tuple[int | str, ...]:
        """What decides between weapons with the same mean Damage: the highest is chosen, wherever it is on the card."""
        return self.damage, self.penetration, self.range, self.healing, self.type

    @property
    def numbers(self) -> str:
        """The printed numbers, without those that are 0: 'R15 P1 D1'."""
        values = ((letter, getattr(self, field)) for letter, (field, _) in NUMBER_LETTERS.items())
        return " ".join(f"{letter}{value}" for letter, value in values if value)

    @property
    def line(self) -> str:
        """It as one line, without its name: 'RW R15 P1 D1'."""
        return f"{self.type} {self.numbers}".strip()

    @property
    def needs_test(self) -> bool:
        """False for a line that only heals (section 4: Attack/Channel, last note)."""
        return bool(self.damage or self.penetration or not self.healing)
