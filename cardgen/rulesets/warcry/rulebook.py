"""The glossary and the rulings of Warcry."""

from pathlib import Path

from cardgen.game import read_rulings

GLOSSARY = Path(__file__).with_name("glossary.txt")
RULINGS = read_rulings(Path(__file__).with_name("rulings.txt"))
