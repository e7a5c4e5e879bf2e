"""Fractions as decimals, percentages and bars, rounded by whole numbers alone."""

from __future__ import annotations

from fractions import Fraction


def decimal(value: Fraction, digits: int) -> str:
    """'0.706626': rounded half to even, with exactly so many digits behind the point."""
    scaled = round(value * 10**digits)
    sign, scaled = ("-" if scaled < 0 else ""), abs(scaled)
    whole, rest = divmod(scaled, 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def percent(value: Fraction, digits: int = 1) -> str:
    """'70.7 %'. What is not quite certain never reads as 0 or 100."""
    text = decimal(value * 100, digits)
    if value and Fraction(text) == 0:
        return f"<{decimal(Fraction(1, 10**digits), digits)} %"
    if value < 1 and Fraction(text) == 100:
        return f">{decimal(100 - Fraction(1, 10**digits), digits)} %"
    return f"{text} %"


def short_fraction(value: Fraction, longest: int = 12) -> str:
    """'5/9', or '' for one that is too long to be read."""
    text = str(value)
    return text if len(text) <= longest else ""


_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(value: Fraction, width: int) -> str:
    """A bar of blocks for a share of 1, `width` characters for the whole."""
    eighths = round(value * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)
