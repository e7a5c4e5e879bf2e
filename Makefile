# make kit       sets everything up and builds the sample kit and the kits of all games, a file of output/ for each paper
# make test      sets everything up and runs the linters and the tests
# make lint      runs the linters only
# make fuzz      tests random cards, templates, and drawings: CASES=100000 (default: 20,000, with 200 cards of each game)
# make proofs    builds the kits of all games in every theme, and measures each piece as it is cut
# make bench     measures speed and memory; some parts: PARTS="check build.longest" (their names: PARTS=--list)
# make journeys  tries the studio in a real browser, if there is one
# make docs      regenerates the pages that follow from the program: commands, checks, keys, settings, and charges
# make man       writes manual pages into output/man
# make pictures  regenerates the pictures in the README
# make site      builds the documentation as a web site into output/site/
# make clean     removes the virtual environment, the caches, and the built PDF files

PYTHON ?= python3
CASES ?= 20000
PARTS ?=
VENV := .venv
BIN := $(VENV)/bin

.PHONY: kit test lint fuzz proofs bench journeys docs man pictures site clean

kit: $(VENV)/kit
	rm -rf output/kit
	$(BIN)/cardgen new project output/kit --sample
	$(BIN)/cardgen build output/kit --pnp --paper a4,letter --output output
	$(BIN)/cardgen build cards --pnp --paper a4,letter --output output/all

test: lint
	$(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

fuzz: $(VENV)/dev
	FUZZ_CASES=$(CASES) $(BIN)/pytest -n auto --dist worksteal tests/fuzz
	FUZZ_CASES=$(CASES) $(BIN)/pytest -n auto --dist worksteal -m "hypothesis or fuzz or share" --ignore tests/fuzz --ignore tests/journeys

proofs: $(VENV)/dev
	$(BIN)/pytest -n auto --dist worksteal -m share tests/templates/test_captions.py tests/templates/test_kits.py tests/templates/test_themes.py

bench: $(VENV)/bench
	$(BIN)/python tests/benchmarks/run.py $(PARTS)

journeys: $(VENV)/journeys
	$(BIN)/pytest -rs tests/journeys

docs: $(VENV)/dev
	$(BIN)/python docs/options.py
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/reference.py
	$(BIN)/python docs/charges.py

man: $(VENV)/kit
	$(BIN)/python docs/man.py output/man

pictures: $(VENV)/dev
	$(BIN)/python docs/pictures/make.py

site: $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) output/*.pdf output/all output/kit output/site output/gallery .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	.ci/setup $(PYTHON) $(VENV)

$(VENV)/kit: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[fonts]'
	touch $@

$(VENV)/dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/kit

$(VENV)/journeys: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[journeys]'
	touch $@ $(VENV)/kit

$(VENV)/docs: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ $(VENV)/kit

$(VENV)/bench: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev,bench]'
	touch $@ $(VENV)/kit
