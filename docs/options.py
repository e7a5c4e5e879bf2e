"""Writes what follows from the table of options, cardgen/options.py, into other files: `make docs`.

These are the settings of a project, and the options of the Python API.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from cardgen.options import FLAG, NUMBER, OPTIONS, TEXT, WORDS, Option, Setting, without_commas
from cardgen.project import project

ROOT = Path(__file__).parent.parent
_TYPES = {TEXT: "str", NUMBER: "int", FLAG: "bool", WORDS: "str | Sequence[str]"}
_SETTING_TYPES = {TEXT: "Text", NUMBER: "int", FLAG: "Flag", WORDS: "tuple[Text, ...]"}
_FLAG = re.compile(r"--([a-z][a-z-]*)")
# A default that is not a value.
_SHOWN_DEFAULT = re.compile(r"  \[default: (.*)\]$")


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the files, and their texts as they should be."""
    settings = "".join(_setting(each, each.setting) for each in OPTIONS.values() if each.setting)
    types = "".join(f"    {each.name}: {_type(each)}\n" for each in OPTIONS.values())
    arguments = "".join(map(_argument, OPTIONS.values()))
    for name, *parts in (
        ("cardgen/project/project.py", ("which explains them.\n", settings, "    # The end")),
        (
            "cardgen/api/build.py",
            ('the project or the card.\n    """\n\n', types, "\n\ndef build("),
            ("Each is optional.\n\n", arguments, "\n    Returns:"),
        ),
    ):
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        for start, between, end in parts:
            first = text.index(start) + len(start)
            text = text[:first] + between + text[text.index(end, first) :]
        yield path, text


def _setting(option: Option, setting: Setting) -> str:
    """Return the field of a setting; its range is that of the option."""
    words = f"Literal{list(option.words)}".replace("'", '"') if option.words else ""
    sort = setting.type or (words or _SETTING_TYPES[option.sort]) + (" | None" if setting.default == "null" else "")
    if option.limits:
        sort = f"Annotated[{sort}, Field(strict=True, ge={option.limits[0]}, le={option.limits[1]})]"
    default = TypeAdapter(eval(sort, vars(project))).validate_python(yaml.safe_load(setting.default))
    written = repr(default).replace("'", '"')
    if sort == "PaperSize":
        written = f'PAPER_SIZES["{setting.default}"]'
    elif isinstance(default, dict):
        written = "Field(default_factory=dict)"
    return f"    {option.name}: {sort} = {written}\n"


def _type(option: Option) -> str:
    return _TYPES[option.sort] + (" | None" if option.default is None else "")


def _argument(option: Option) -> str:
    """Return the description of an option of the Python API."""
    shown = _SHOWN_DEFAULT.search(option.build)
    default = shown[1] if shown else ", ".join(option.default or ()) if option.sort == WORDS else option.default
    text = without_commas(_SHOWN_DEFAULT.sub("", option.build))
    if option.sort == FLAG:
        text = f"{not option.default} to {text[0].lower()}{text[1:]}"
    text = _FLAG.sub(lambda match: f"`{match[1].replace('-', '_')}`", text)
    if option.sort == WORDS:
        text += " One or several."
    if option.limits:
        text += f" From {option.limits[0]} to {option.limits[1]}."
    if default and option.sort != FLAG:
        text += f" Default: {default}."
    indent = " " * 12
    return textwrap.fill(f"{option.name}: {text}", 120, initial_indent=indent, subsequent_indent=indent + "    ") + "\n"


if __name__ == "__main__":
    for file, content in texts():
        file.write_text(content, encoding="utf-8")
