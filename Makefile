# make play · make test · make test-fast · make check · make bench · make train-env: each sets up what it needs.
PYTHON ?= python3
PLAY ?= --source demo
VENV := .venv
BIN := $(VENV)/bin
KERNEL := $(wildcard engine/advice/kernel/*)
RUN_STAMP := $(VENV)/.installed-run
DEV_STAMP := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: play test test-fast check format bench train-env clean

play: $(RUN_STAMP)
	$(BIN)/courtside play $(PLAY)

test: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 3 --dist loadgroup  # one more than two cores: films and browsers are often waited for

# Without browsers, servers, films and whole programs: what can be run after every change. Left out besides: what reads
# many pictures, waits for cameras, or kills programs.
SLOW := cards_reading hurried_table printed_dice printed_places crash_at_every_write camera_password watchdog camera \
	simulated_table picture_header hard_kinds detector failure_report contrast drawn_dice gone_dice krone_legal
test-fast: $(DEV_STAMP)
	$(BIN)/python -m pytest -n 2 -q -m "not browser and not physics and not postgresql and not nginx and not fresh and not photos" \
		$(patsubst %,--ignore-glob='*/test_%.py',$(SLOW)) \
		tests/test_import_law.py tests/engine tests/vision tests/archive

check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV_STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(RUN_STAMP)
	$(BIN)/courtside bench advice
	$(BIN)/courtside bench live

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
