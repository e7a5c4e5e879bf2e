"""Gradients in ink: their color functions as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.export.press.dictionaries import remove_key
from cardgen.export.press.ink import Inks

_SAMPLES = 256
Function: TypeAlias = Callable[[float], Sequence[float]]


def convert_shading(pdf: pikepdf.Pdf, shading: Any, inks: Inks) -> None:
    """Convert an axial or radial gradient in place; grays stay grays."""
    if str(shading.get("/ColorSpace")) != "/DeviceRGB" or "/Function" not in shading:
        return
    start, end = (float(each) for each in shading.get("/Domain", (0, 1)))
    colours = _function(shading.Function)
    samples = bytearray()
    for number in range(_SAMPLES):
        red, green, blue = (
            min(1.0, max(0.0, level)) for level in colours(start + (end - start) * number / (_SAMPLES - 1))
        )
        samples += bytes(int(level * 255) for level in inks.colour(round(red, 4), round(green, 4), round(blue, 4)))
    function = pdf.make_stream(bytes(samples))
    function.FunctionType, function.BitsPerSample = 0, 8
    function.Domain, function.Size = Array([start, end]), Array([_SAMPLES])
    function.Range = Array([0, 1] * 4)
    shading.Function = function
    shading.ColorSpace = Name.DeviceCMYK
    remove_key(shading, "/Background")


def _function(definition: Any) -> Function:
    """Return a function of one variable.

    Raises ValueError for the types that neither our writer nor cairo uses.
    """
    if isinstance(definition, Array):
        parts = [_function(part) for part in definition]
        return lambda x: [part(x)[0] for part in parts]
    kind = int(definition.FunctionType)
    if kind == 2:
        return _exponential(definition)
    if kind == 3:
        return _stitched(definition)
    raise ValueError(f"unknown function type {kind} (one of 2, 3)")


def _exponential(definition: Dictionary) -> Function:
    first = [float(level) for level in definition.get("/C0", (0,))]
    last = [float(level) for level in definition.get("/C1", (1,))]
    exponent = float(definition.N)
    return lambda x: [a + x**exponent * (b - a) for a, b in zip(first, last, strict=True)]


def _stitched(definition: Dictionary) -> Function:
    parts = [_function(part) for part in definition.Functions]
    low, high = (float(each) for each in definition.Domain)
    bounds = [low, *(float(bound) for bound in definition.Bounds), high]
    encode = [float(each) for each in definition.Encode]

    def value(x: float) -> Sequence[float]:
        index = next((n for n in range(len(parts) - 1) if x < bounds[n + 1]), len(parts) - 1)
        start, end = bounds[index], bounds[index + 1]
        low_code, high_code = encode[2 * index : 2 * index + 2]
        share = (x - start) / (end - start) if end > start else 0.0
        return parts[index](low_code + share * (high_code - low_code))

    return value
