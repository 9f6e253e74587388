# `make serve` and `make test` are the two commands to know. Each sets up what
# it needs on a machine with Python 3.11 or newer; a second run installs nothing.
# While writing, `make check` is the quick one.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
BENCH := .bench
BENCH_READY := $(BENCH)/.ready
MUTANTS := .mutants
MUTANTS_READY := $(MUTANTS)/.ready
SCRIPT_MUTANTS := tests/mutants/scripts
SCRIPT_MUTANTS_READY := $(SCRIPT_MUTANTS)/node_modules/.ready
SCRIPTS := tests/scripts
SCRIPTS_READY := $(SCRIPTS)/node_modules/.ready
FORKS := .forks
FONT := .font
WHOLE_FONT := @fontsource/stix-two-math@5.3.0
VERIFY := .verify
VERIFIED := google-bert moodle qti-migration-tool transformers transformers4 peft keras keras-hub canvas
# A git repository, by address or path; the commit that the recording names is taken from it.
GOOGLE_BERT ?= https://github.com/google-research/bert
# What Moodle and Canvas read question banks with; likewise, at these commits.
MOODLE ?= https://github.com/moodle/moodle
MOODLE_COMMIT := 5877ae306efaa93a3a0cf8adcedee4da405677f5
QTI_MIGRATION_TOOL ?= https://github.com/instructure/QTIMigrationTool
QTI_MIGRATION_TOOL_COMMIT := 7847455bb7fb4ca223cecf7e576ca81f7d0bda47
# keras-bert and bert4keras need the Keras that came with older TensorFlow.
KERAS = TF_CPP_MIN_LOG_LEVEL=3 TF_USE_LEGACY_KERAS=1 TF_KERAS=1

PORT := 8000

# Where the home directory cannot be written, npm keeps its packages here.
ifneq (0,$(shell test -w "$$HOME"; echo $$?))
export npm_config_cache := $(CURDIR)/.npm
endif

# The date in the sitemap is that of the last commit, so that two builds are alike;
# where there is no git, or no repository, it is today's.
export SOURCE_DATE_EPOCH ?= $(shell (git log -1 --format=%ct || date +%s) 2>/dev/null)
# A citation names the commit; nothing else does.
export SOURCE_COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
# Material's banner about the future of MkDocs; see the pins in requirements.in.
export NO_MKDOCS_2_WARNING := 1
# Python images for containers set this; without compiled code each process of the tests compiles all of them anew.
unexport PYTHONDONTWRITEBYTECODE

PIP := pip install --quiet --disable-pip-version-check --require-hashes --no-deps

# Tests in parallel, those of one file in one process: they share what the file sets up. In the order of tests/conftest.py.
PYTEST := $(VENV)/bin/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

.PHONY: serve test other-browser check fuzz build lint scripts bench breaking mutants verify forks audit font ids answers lock clean

serve: $(READY) # the site at http://127.0.0.1:8000, rebuilt at every change; elsewhere with PORT=8001
	@$(VENV)/bin/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT)))' 2>/dev/null || \
		{ echo "the site cannot be served at 127.0.0.1:$(PORT), which is taken or not allowed. Try make serve PORT=8001" >&2; exit 1; }
	$(VENV)/bin/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

test: lint # everything that guards the site
	$(VENV)/bin/python -m tests.docs.get_browser
	$(PYTEST)

# The workflow runs all of tests/docs there: `make other-browser OTHER=tests/docs`.
OTHER := -m other_browser tests/docs

other-browser: $(READY) # the tests that a browser most likely makes a difference to, in another one than `make test` takes
	other=$${OTHER_BROWSER:-$$($(VENV)/bin/python -m tests.docs.get_browser --other)} && CHROME_PATH=$$other $(PYTEST) $(OTHER)

check: lint # what guards the engine (but its fuzz) and the rendering, in about half a minute
	$(PYTEST) tests/counting tests/rendering macros --ignore=tests/counting/test_fuzz.py

fuzz: $(READY) # all hundred thousand odd inputs, of which `make test` takes a tenth
	LONG_FUZZ=1 $(VENV)/bin/python -m pytest tests/counting/test_fuzz.py

build: $(READY) # the site as it is published, into site/
	$(VENV)/bin/python -c "import macros.site"
	CI=true PAPER=$(if $(CI),required,if-possible) $(VENV)/bin/mkdocs build --site-dir site

lint: $(READY) scripts # style and types
	$(VENV)/bin/ruff check --quiet .
	$(VENV)/bin/ruff format --check --quiet .
	$(VENV)/bin/mypy

# CI never leaves this out; elsewhere Node.js is nothing that the site needs.
ifneq (,$(shell command -v node >/dev/null 2>&1 && command -v npm 2>/dev/null))
scripts: $(SCRIPTS_READY) # types and style of the scripts in docs/assets
	$(SCRIPTS)/node_modules/.bin/tsc --project $(SCRIPTS)
	$(SCRIPTS)/node_modules/.bin/biome check --error-on-warnings --log-level=warn >/dev/null
else
scripts:
	@echo "make lint did not check the scripts: that needs Node.js with npm" >&2; test -z "$$CI"
endif

bench: $(BENCH_READY) $(READY) # how fast the engine counts, beside transformers, and how fast the calculator answers a key
	$(BENCH)/bin/python -m tests.bench.bench
	$(VENV)/bin/python -m tests.bench.calculator

breaking: $(READY) $(SCRIPT_MUTANTS_READY) # whether what breaks the code tells a break that is noticed from one that is not
	$(VENV)/bin/python -m tests.docs.get_browser
	$(VENV)/bin/python -m pytest -m breaking tests/test_mutants.py tests/test_script_mutants.py

mutants: $(MUTANTS_READY) breaking # how many small breaks of the code its tests notice; takes hours, with BREAK="--sample 300" less
	$(MUTANTS)/bin/python -m tests.mutants.check $(BREAK)
	$(VENV)/bin/python -m tests.mutants.scripts.check

verify: $(READY) $(VERIFIED:%=$(VERIFY)/%/.ready) # run the real implementations anew and compare
	$(VERIFY)/transformers/bin/python -m tests.oracles.record_transformers
	$(VERIFY)/transformers/bin/python -m tests.oracles.record_others
	$(VERIFY)/transformers/bin/python -m tests.oracles.record_configs
	$(VERIFY)/transformers4/bin/python -m tests.oracles.record_transformers
	$(VERIFY)/transformers4/bin/python -m tests.oracles.record_flax
	$(VERIFY)/peft/bin/python -m tests.oracles.record_peft
	$(KERAS) $(VERIFY)/keras/bin/python -m tests.oracles.record_google_bert $(VERIFY)/google-bert
	$(KERAS) $(VERIFY)/keras/bin/python -m tests.oracles.record_keras_bert
	$(KERAS) $(VERIFY)/keras/bin/python -m tests.oracles.record_bert4keras
	KERAS_BACKEND=tensorflow TF_CPP_MIN_LOG_LEVEL=3 $(VERIFY)/keras-hub/bin/python -m tests.oracles.record_keras_hub
	$(VENV)/bin/python -m pytest -q tests/counting/frameworks/test_recordings.py tests/counting/test_recorded_configs.py tests/counting/test_changes.py
	$(VENV)/bin/python -m tests.docs.get_browser
	$(VENV)/bin/python -m tests.oracles.calculator_snippets $(VERIFY)/snippets.json
	$(VERIFY)/peft/bin/python -m tests.oracles.run_snippets $(VERIFY)/snippets.json
	$(VERIFY)/transformers/bin/python -m tests.oracles.run_statements
	$(VERIFY)/canvas/bin/python -m tests.oracles.read_banks $(VERIFY)/moodle $(VERIFY)/qti-migration-tool

forks: $(READY) $(FORKS)/properdocs/.ready $(FORKS)/zensical/.ready # whether other programs than MkDocs build the same site
	$(VENV)/bin/python -m tests.forks.compare

audit: build # Lighthouse on every page, phone profile; on a few with PAGES="map.html totals/base.html"
	@command -v npm >/dev/null || { echo "make audit needs Node.js with npm: install it and try again" >&2; exit 1; }
	$(VENV)/bin/python -m tests.docs.get_browser
	cd tests/audit && npm ci --silent && \
		CHROME_PATH="$$(cd ../.. && $(VENV)/bin/python -c 'from tests.docs.browser import executable; print(executable())')" \
		node audit.mjs ../../site $(PAGES)

font: $(FONT)/.ready # the font of the formulas anew, from the whole one
	@command -v npm >/dev/null || { echo "make font needs Node.js with npm: install it and try again" >&2; exit 1; }
	cd $(FONT) && tar xzf "$$(npm pack --silent $(WHOLE_FONT))"
	$(FONT)/bin/python tests/fonts/make.py $(FONT)/package/files/stix-two-math-latin-400-normal.woff2

ids: $(READY) # record the ids of new pages and headings
	$(VENV)/bin/python -m tests.docs.test_ids

answers: $(READY) # record what the page that explains numbers answers, the calculator and the exercises show, to be read in the difference
	$(VENV)/bin/python -m tests.docs.get_browser
	$(VENV)/bin/python -m tests.docs.test_answers_in_browser
	$(VENV)/bin/python -m tests.docs.test_calculator_outline
	$(VENV)/bin/python -m tests.docs.test_exercises_outline

lock: # every requirements*.txt anew from the .in of the same name
	$(PYTHON) -m venv --clear .lock && .lock/bin/pip install --quiet pip-tools==7.6.2
	.lock/bin/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --upgrade \
		--output-file requirements.txt requirements.in
	$(PYTHON) -m tests.locking .lock/bin/pip-compile
	rm -rf .lock

clean:
	rm -rf $(VENV) .npm .cache .looks_cache .comparisons_cache .browser $(BENCH) $(MUTANTS) $(FORKS) $(FONT) $(VERIFY) site $(SCRIPTS)/node_modules $(SCRIPT_MUTANTS)/node_modules tests/audit/node_modules

$(READY): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) lacks venv or pip: install them and try again (Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/$(PIP) -r requirements.txt
	@touch $@

# An environment with what the lock names and nothing else; the libraries of CUDA only
# where torch is a build that cannot be imported without them (see tests/locking.py).
define LOCKED
$(PYTHON) -m venv --clear $(@D)
$(@D)/bin/$(PIP) -r $<
@! grep -q '^torch==' $< || $(@D)/bin/python -c 'import torch' 2>/dev/null || $(@D)/bin/$(PIP) -r tests/requirements-cuda.txt
endef

$(BENCH_READY): tests/bench/requirements.txt
	$(LOCKED)
	@touch $@

# The tests that it runs need what the site is made with.
$(MUTANTS_READY): tests/mutants/requirements.txt requirements.txt
	$(LOCKED)
	$(@D)/bin/$(PIP) -r requirements.txt
	@touch $@

$(SCRIPTS_READY) $(SCRIPT_MUTANTS_READY): %/node_modules/.ready: %/package.json %/package-lock.json
	cd $* && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund >/dev/null
	@touch $@

$(FONT)/.ready: tests/fonts/requirements.txt
	$(LOCKED)
	@touch $@

$(FORKS)/%/.ready: tests/forks/requirements-%.txt
	$(LOCKED)
	@touch $@

$(VERIFY)/google-bert/.ready: | $(READY)
	rm -rf $(@D)
	git clone --quiet $(GOOGLE_BERT) $(@D) || \
		{ echo "google-research/bert cannot be cloned from $(GOOGLE_BERT). Try make verify GOOGLE_BERT=<path of a clone>" >&2; exit 1; }
	git -C $(@D) checkout --quiet $$($(VENV)/bin/python -c \
		"from macros.counting.frameworks.recordings import recording; print(recording('google-bert')['versions']['google-research/bert'])")
	@touch $@

# Only the files that are needed, at one commit: the argument names the variables, and the files follow it.
define PART_OF_CLONE
rm -rf $(@D)
git clone --quiet --filter=tree:0 --no-checkout $($(1)) $(@D) || \
	{ echo "$($(1)) cannot be cloned. Try make verify $(1)=<path of a clone>" >&2; exit 1; }
git -C $(@D) checkout --quiet $($(1)_COMMIT) -- $(2)
endef

$(VERIFY)/moodle/.ready:
	$(call PART_OF_CLONE,MOODLE,lib/xmlize.php question)
	@touch $@

$(VERIFY)/qti-migration-tool/.ready:
	$(call PART_OF_CLONE,QTI_MIGRATION_TOOL,.)
	@touch $@

$(VERIFY)/%/.ready: tests/oracles/requirements-%.txt
	$(LOCKED)
	$(if $(wildcard $(<:.txt=-alone.txt)),$(@D)/bin/$(PIP) -r $(<:.txt=-alone.txt))
	@touch $@
