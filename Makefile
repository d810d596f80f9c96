# make play · make test · make test-fast · make test-stress · make check · make dist · make bench · make train-env: each sets up what it needs.
PYTHON ?= python3
PLAY ?= --source demo
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(wildcard engine/krone/advice/kernel/*)
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Bytecode is kept even where the environment forbids it: each worker and each program that a test starts would compile all.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-fast test-stress check format dist bench train-env clean

play: $(RUN_STAMP)
	$(BIN)/courtside play $(PLAY)

test: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 3 --dist worksteal  # one more than two cores: films and browsers are often waited for

# What can run after every change: no browsers, servers, films and whole programs. The markers are in pyproject.toml.
FAST := not (slow or stress or browser or nginx or postgresql or physics or photos)
test-fast: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -q -m "$(FAST)"

# Builds wheels, kills programs at every write, floods the server: every night and before a release.
test-stress: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile -m stress

check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The source archive (everything) and, built from it, the wheel (what runs). Hand out both together.
dist: $(DEV_STAMP)
	$(BIN)/python -m build --outdir dist

bench: $(DEV_STAMP)
	$(BIN)/python -m scripts.bench_advice
	$(BIN)/python -m scripts.bench_live

# Training pulls torch and another wheel of the same cv2 module, so it never shares the environment above.
train-env:
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check -e '.[train]'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# --no-compile: bytecode is written on first use, a tenth less to install in two thirds of the time.
$(RUN_STAMP): pyproject.toml constraints.txt $(KERNEL) | $(VENV)/bin/python
	$(PIP) --no-compile -e .
	touch $@

$(DEV_STAMP): pyproject.toml constraints.txt $(KERNEL) | $(VENV)/bin/python
	$(PIP) -e '.[dev]'
	touch $@ $(RUN_STAMP)

clean:
	rm -rf $(VENV) .venv-train build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
