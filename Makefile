# Needs python3 (3.11 or later) and nothing else: everything is installed into .venv from hashed locks.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench bench-judge lock clean

demo: .venv/runtime
	$(BIN)/probative demo

test: .venv/dev
	$(BIN)/python -m pytest -n 2

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/financebench.py

bench-judge: .venv/dev
	$(BIN)/python benchmarks/lexical_entail.py

# The locks carry hashes and no address of an index. `uv` makes them; nothing else needs it.
lock:
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra llm --group build -o requirements.lock
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra llm --group build --group dev -o requirements-dev.lock

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "probative needs Python 3.11 or later")'
	$(PYTHON) -m venv .venv

.venv/runtime: .venv/bin/python requirements.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/bin/python requirements-dev.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

clean:
	rm -rf .venv
