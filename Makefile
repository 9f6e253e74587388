# `make serve` and `make test` are the two commands to know. Each sets up what
# it needs on a machine with Python 3.11 or newer; a second run installs nothing.
# While writing, `make check` is the quick one. .github/CONTRIBUTING.md names
# what is run more rarely.

PYTHON ?= python3
VENV := .venv
# What builds the site, and on top of it what tests, checks and prints it: three times as much to download.
READY := $(VENV)/.ready
TESTS_READY := $(VENV)/.ready-for-tests
CACHE := .cache
SCRIPTS := tests/scripts
SCRIPTS_READY := $(SCRIPTS)/node_modules/.ready
ORACLES := $(CACHE)/oracles
VERIFIED := google-bert moodle qti-migration-tool current transformers4 profilers
# A git repository, by address or path; the commit that the recording names is taken from it.
GOOGLE_BERT ?= https://github.com/google-research/bert
# What Moodle and Canvas read question banks with; likewise, at these commits.
MOODLE ?= https://github.com/moodle/moodle
MOODLE_COMMIT := 5877ae306efaa93a3a0cf8adcedee4da405677f5
QTI_MIGRATION_TOOL ?= https://github.com/instructure/QTIMigrationTool
QTI_MIGRATION_TOOL_COMMIT := 7847455bb7fb4ca223cecf7e576ca81f7d0bda47
# keras-bert and bert4keras need the Keras that came with older TensorFlow.
KERAS := TF_CPP_MIN_LOG_LEVEL=3 TF_USE_LEGACY_KERAS=1 TF_KERAS=1

PORT := 8000
# Arguments for pytest: which tests `make test` runs, where not all.
TESTS :=

# Where the home directory cannot be written, npm keeps its packages here.
ifneq (0,$(shell test -w "$$HOME"; echo $$?))
export npm_config_cache := $(CURDIR)/$(CACHE)/npm
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

.PHONY: serve test check same build lint record bench verify lock clean

# Python keeps what it compiles out of the source folder: in what MkDocs watches, each new file would start another build.
serve build: export PYTHONPYCACHEPREFIX := $(CURDIR)/$(CACHE)/bytecode

serve: $(READY) # the site at http://127.0.0.1:8000, rebuilt at every change; elsewhere with PORT=8001
	@$(VENV)/bin/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT)))' 2>/dev/null || \
		{ echo "the site cannot be served at 127.0.0.1:$(PORT), which is taken or not allowed. Try make serve PORT=8001" >&2; exit 1; }
	$(VENV)/bin/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

test: lint # everything that guards the site
	$(VENV)/bin/python -m tests.docs.get_browser
	$(PYTEST) $(TESTS)

check: lint # what guards the engine (but its fuzz) and the rendering, in about half a minute
	$(PYTEST) tests/counting tests/rendering macros --ignore=tests/counting/test_fuzz.py

same: $(READY) # what a change of structure changes in the site, file by file; beside another commit than the last with BASE=<commit>
	$(VENV)/bin/python -m tests.same $(BASE)

# CI prints what it publishes, for which it needs Playwright; elsewhere it is printed where Playwright is there.
build: $(if $(CI),$(TESTS_READY),$(READY)) # the site as it is published, into site/
	$(VENV)/bin/python -c "import macros.site"
	CI=true PAPER=$(if $(CI),required,if-possible) $(VENV)/bin/mkdocs build --site-dir site

# CI never leaves the scripts out; elsewhere Node.js is nothing that the site needs.
ifneq (,$(shell command -v node >/dev/null 2>&1 && command -v npm 2>/dev/null))
lint: $(TESTS_READY) $(SCRIPTS_READY) # style and types
	$(VENV)/bin/python -m tests.scripts.table_type
	$(SCRIPTS)/node_modules/.bin/tsc --project $(SCRIPTS)
	$(SCRIPTS)/node_modules/.bin/biome check --error-on-warnings --log-level=warn >/dev/null
else
lint: $(TESTS_READY)
	@echo "make lint did not check the scripts: that needs Node.js with npm" >&2; test -z "$$CI"
endif
	$(VENV)/bin/ruff check --quiet .
	$(VENV)/bin/ruff format --check --quiet .
	$(VENV)/bin/mypy

record: $(TESTS_READY) # the addresses of new pages, headings and files, which are kept from then on
	$(VENV)/bin/python -m tests.docs.test_ids

bench: $(TESTS_READY) $(ORACLES)/current/.ready # how fast the engine counts, beside transformers, and how fast the calculator answers a key
	$(ORACLES)/current/bin/python -m tests.bench.bench
	$(VENV)/bin/python -m tests.bench.calculator

verify: $(TESTS_READY) $(VERIFIED:%=$(ORACLES)/%/.ready) # run the real implementations anew and compare
	$(ORACLES)/current/bin/python -m tests.oracles.record_transformers
	$(ORACLES)/current/bin/python -m tests.oracles.record_others
	$(ORACLES)/current/bin/python -m tests.oracles.record_configs
	$(ORACLES)/current/bin/python -m tests.oracles.record_published
	$(ORACLES)/current/bin/python -m tests.oracles.record_peft
	$(ORACLES)/current/bin/python -m tests.oracles.record_operations
	PYTHONPATH=$(ORACLES)/profilers $(ORACLES)/current/bin/python -m tests.oracles.record_profilers
	$(ORACLES)/current/bin/python -m tests.oracles.record_activations
	$(ORACLES)/current/bin/python -m tests.oracles.record_changed
	$(ORACLES)/current/bin/python -m tests.oracles.record_training
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_changed
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_transformers
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_flax
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_google_bert $(ORACLES)/google-bert
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_keras_bert
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_bert4keras
	KERAS_BACKEND=tensorflow TF_CPP_MIN_LOG_LEVEL=3 $(ORACLES)/current/bin/python -m tests.oracles.record_keras_hub
	$(VENV)/bin/python -m pytest -q tests/counting/frameworks/test_recordings.py tests/counting/test_recorded_configs.py tests/counting/test_published_configs.py tests/counting/test_changes.py tests/counting/test_operations.py tests/counting/published/test_profilers.py tests/counting/test_activations.py
	$(VENV)/bin/python -m tests.docs.get_browser
	$(VENV)/bin/python -m tests.oracles.calculator_snippets $(ORACLES)/snippets.json
	$(ORACLES)/current/bin/python -m tests.oracles.run_snippets $(ORACLES)/snippets.json
	$(ORACLES)/transformers4/bin/python -m tests.oracles.run_snippets $(ORACLES)/snippets.json transformers4
	$(ORACLES)/current/bin/python -m tests.oracles.run_statements
	$(ORACLES)/current/bin/python -m tests.oracles.read_banks $(ORACLES)/moodle $(ORACLES)/qti-migration-tool

# torch is the reason for more than pip-compile: the wheel for Linux that the usual index has asks for three gigabytes
# of CUDA libraries, which only building on the meta device never uses. A build without them is not on that index, and
# no address of another is written down here. So a lock takes either: the hash of the CPU build stands beside the others,
# for whoever has told pip of an index that has it (PIP_EXTRA_INDEX_URL), and the libraries have a lock of their own.
CUDA := tests/oracles/requirements-cuda.txt
CUDA_LINES := /^(cuda|nvidia|triton)[-=]/,/[^\\]$$/
# torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl
CPU_BUILD := --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b

lock: # every lock of Python packages anew, from the requirements*.in of the same name
	$(PYTHON) -m venv --clear $(CACHE)/lock && $(CACHE)/lock/bin/pip install --quiet pip-tools==7.6.2
	for each in requirements tests/requirements tests/oracles/requirements tests/oracles/requirements-transformers4; do \
		env -u PIP_FIND_LINKS $(CACHE)/lock/bin/pip-compile --quiet --allow-unsafe --generate-hashes --strip-extras \
			--no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --upgrade \
			--output-file $(CACHE)/lock/lock.txt $$each.in && \
		sed -E '$(CUDA_LINES)d; s/^(torch==.*)/\1\n    $(CPU_BUILD) \\/' $(CACHE)/lock/lock.txt >$$each.txt && \
		sed -nE '$(CUDA_LINES)p' $(CACHE)/lock/lock.txt >$(CACHE)/lock/cuda.txt && \
		{ test ! -s $(CACHE)/lock/cuda.txt || cp $(CACHE)/lock/cuda.txt $(CUDA); } && rm $(CACHE)/lock/lock.txt || exit; \
	done

clean: # everything that the others made
	rm -rf $(VENV) $(CACHE) .hypothesis .mypy_cache .pytest_cache .ruff_cache site .site.unfinished $(SCRIPTS)/node_modules

$(READY): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) lacks venv or pip: install them and try again (Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/$(PIP) -r requirements.txt
	@touch $@

$(TESTS_READY): $(READY) tests/requirements.txt
	$(VENV)/bin/$(PIP) -r tests/requirements.txt
	@touch $@

$(SCRIPTS_READY): $(SCRIPTS)/package.json $(SCRIPTS)/package-lock.json
	cd $(SCRIPTS) && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund >/dev/null
	@touch $@

# An environment with what the lock names and nothing else; the libraries of CUDA only where torch cannot be imported
# without them. bert4keras asks for a Keras that no longer installs, and runs with tf_keras; so nothing it asks for is there.
define LOCKED
$(PYTHON) -m venv --clear $(@D)
$(@D)/bin/$(PIP) $(^:%=-r %)
@$(@D)/bin/python -c 'import torch' 2>/dev/null || $(@D)/bin/$(PIP) -r $(CUDA)
@touch $@
endef

$(ORACLES)/current/.ready: tests/oracles/requirements.txt tests/oracles/requirements-alone.txt
	$(LOCKED)

$(ORACLES)/transformers4/.ready: tests/oracles/requirements-transformers4.txt
	$(LOCKED)

# On top of the environment that has torch, and not within it: what they bring besides is nobody else's.
$(ORACLES)/profilers/.ready: tests/oracles/requirements-profilers.txt $(ORACLES)/current/.ready
	rm -rf $(@D)
	$(ORACLES)/current/bin/$(PIP) --target $(@D) -r $<
	@touch $@

$(ORACLES)/google-bert/.ready: | $(READY)
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
@touch $@
endef

$(ORACLES)/moodle/.ready:
	$(call PART_OF_CLONE,MOODLE,lib/xmlize.php question)

$(ORACLES)/qti-migration-tool/.ready:
	$(call PART_OF_CLONE,QTI_MIGRATION_TOOL,.)
