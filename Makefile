# make kit       sets everything up and builds the sample kit into output/
# make test      sets everything up and runs the linters and the tests
# make lint      runs the linters only
# make fuzz      tests random cards, templates, and drawings: CASES=100000 (default: 20,000)
# make bench     measures speed and memory
# make docs      regenerates docs/commands.md from the help texts
# make pictures  regenerates the pictures in the README
# make clean     removes the virtual environment, the caches, and the built PDF files

PYTHON ?= python3
CASES ?= 20000
VENV := .venv
BIN := $(VENV)/bin

.PHONY: kit test lint fuzz bench docs pictures clean

kit: $(VENV)/kit
	$(BIN)/cardgen build cards --kit --paper a4
	$(BIN)/cardgen build cards --kit --paper letter
	$(BIN)/cardgen reference --cards cards --format pdf,html

test: lint
	$(BIN)/pytest -n auto

lint: $(VENV)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

fuzz: $(VENV)/dev
	FUZZ_CASES=$(CASES) $(BIN)/pytest -n auto tests/fuzz

bench: $(VENV)/bench
	$(BIN)/python tests/benchmarks/run.py

docs: $(VENV)/dev
	$(BIN)/python docs/commands.py

pictures: $(VENV)/dev
	$(BIN)/python docs/pictures/make.py

clean:
	rm -rf $(VENV) output/*.pdf .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	.ci/setup $(PYTHON) $(VENV)

$(VENV)/kit: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[fonts]'
	touch $@

$(VENV)/dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/kit

$(VENV)/bench: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev,bench]'
	touch $@ $(VENV)/kit
