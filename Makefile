# Main commands: `make run` serves the site here, `make test` tests it. Both make .venv first.
PYTHON ?= python3
PORT ?= 8000
DEMO ?= 1
PY := .venv/bin/python
UV := .venv/bin/uv pip
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export UV_NO_PROGRESS = 1
export UV_SYSTEM_CERTS ?= 1
# Python keeps what it has compiled: without that, each process would compile the site and its libraries again.
unexport PYTHONDONTWRITEBYTECODE

SEEDS ?= 1000
FIRST ?= 0
.PHONY: help run setup test test-all fuzz twins simulate lint format lock audit

help:
	@echo "make run     serve on 127.0.0.1:$(PORT), embedded and with demo matches (PORT=8123, DEMO=0)"
	@echo "make test    lint and the whole test suite"
	@echo "make test-all  the same, with every page for every viewer and every scenario on the database: for the night"
	@echo "make simulate  SEEDS=$(SEEDS) runs of the whole site under faults; see lab/README.md"
	@echo "make fuzz    made-up requests to the whole API, other ones each time (FUZZ=300 of each kind)"
	@echo "make twins   random matches that differ in one secret must look the same to all others (PAIRS=5000)"
	@echo "make lint    ruff, mypy, import-linter, djlint"
	@echo "make format  format the code with ruff"
	@echo "make setup   only .venv, with everything for tests"
	@echo "make lock    update the lock files from pyproject.toml"
	@echo "make audit   has any locked package a known hole? Once a week"

run: .venv/.run
	@PORT=$(PORT) exec $(PY) manage.py serve $(if $(filter 0 no false,$(DEMO)),,--demo)

setup: .venv/.dev

test: lint
	@$(PY) tests/run.py

test-all: lint
	@EVERY_PAGE=1 EVERY_SCENARIO=1 $(PY) tests/run.py

simulate: .venv/.dev
	@$(PY) -m lab.simulation run --seeds $(SEEDS) --first $(FIRST)

FUZZ ?= 300
fuzz: .venv/.dev
	@FUZZ=$(FUZZ) $(PY) -m pytest tests/api/test_fuzz.py -q -s -n0 -o faulthandler_timeout=0

PAIRS ?= 5000
twins: .venv/.dev
	@PAIRS=$(PAIRS) $(PY) -m pytest -n auto --dist worksteal -q tests/secrecy

# All at once, mypy (which takes longest) in as many processes as there are processors; each says all that it finds.
LINTERS := lint-types lint-code lint-format lint-imports lint-templates
.PHONY: $(LINTERS)
lint: .venv/.dev
	@$(MAKE) --no-print-directory --keep-going -j $(if $(filter output-sync,$(.FEATURES)),--output-sync) $(LINTERS)

# Its processes give up if they have not met after three seconds, as on a busy machine. Then, and where anything is
# wrong, a single one says what it is: it goes on from what the others have kept.
lint-types:
	@found=$$($(PY) -m mypy --num-workers auto 2>&1) && echo "$$found" || $(PY) -m mypy
lint-code:
	$(PY) -m ruff check .
lint-format:
	$(PY) -m ruff format --check .
lint-imports:
	.venv/bin/lint-imports
lint-templates:
	.venv/bin/djlint --lint --quiet templates matches

format: .venv/.dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

# Hash-pinned, for every platform, and without any address: installing takes them from wherever pip is told to.
COMPILE := $(UV) compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock"
lock: .venv/.uv
	$(COMPILE) --upgrade -o requirements.lock pyproject.toml
	$(COMPILE) --upgrade -c requirements.lock --group dev -o requirements-dev.lock pyproject.toml
	echo uv | $(COMPILE) --upgrade --no-annotate -o requirements-uv.lock -

audit: .venv/.dev
	@$(PY) -m pip_audit --require-hashes --disable-pip -r requirements.lock

.venv/.uv: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: PYTHON=python3.12 make ..." >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "\`$(PYTHON) -m venv\` failed. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PY) -m pip install --quiet --require-hashes -r requirements-uv.lock
	@touch $@

# uv is quick, but knows nothing of pip's configuration; where only that leads to the packages, pip takes longer.
# `make run` removes nothing, so that after `make test` the tools of both stay.
.venv/.run: .venv/.uv requirements.lock
	@echo "Installing what the site needs ..."
	@$(UV) install --quiet --require-hashes -r requirements.lock || \
		$(PY) -m pip install --quiet --require-hashes -r requirements.lock
	@touch $@

.venv/.dev: .venv/.uv requirements-dev.lock
	@echo "Installing what site and tests need ..."
	@$(UV) sync --quiet --require-hashes requirements-dev.lock || \
		$(PY) -m pip install --quiet --require-hashes -r requirements-dev.lock
	@touch .venv/.run $@
