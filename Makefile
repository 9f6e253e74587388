# `make serve` and `make test` are the two commands to know. Each sets up what it
# needs on a machine with Python 3.11 or newer; a second run installs nothing.
# `make check` is a quick check while you write. `make help` lists all commands,
# and .github/CONTRIBUTING.md says when to use the rarer ones.

PYTHON ?= python3
VENV := .venv
# Empty files that exist once the packages for building the site are installed, and once those for testing, checking and
# printing it are installed too. The latter are three times as large to download.
READY := $(VENV)/.ready
TESTS_READY := $(VENV)/.ready-for-tests
CACHE := .cache
SCRIPTS := tests/scripts
SCRIPTS_READY := $(SCRIPTS)/node_modules/.ready
ORACLES := $(CACHE)/oracles
# The environments and clones that `make verify` needs.
VERIFIED := google-bert moodle qti-migration-tool current transformers4 profilers
# The address or path of a git repository. The commit that the recording names is checked out.
GOOGLE_BERT ?= https://github.com/google-research/bert
# The importers with which Moodle and Canvas read question banks, at these commits.
MOODLE ?= https://github.com/moodle/moodle
MOODLE_COMMIT := 5877ae306efaa93a3a0cf8adcedee4da405677f5
QTI_MIGRATION_TOOL ?= https://github.com/instructure/QTIMigrationTool
QTI_MIGRATION_TOOL_COMMIT := 7847455bb7fb4ca223cecf7e576ca81f7d0bda47
# keras-bert and bert4keras need the Keras that came with older releases of TensorFlow.
KERAS := TF_CPP_MIN_LOG_LEVEL=3 TF_USE_LEGACY_KERAS=1 TF_KERAS=1

PORT := 8000
# Arguments for pytest, to run only some tests with `make test`.
TESTS :=

# npm caches packages in the home directory or, if that is not writable, here.
ifneq (0,$(shell test -w "$$HOME"; echo $$?))
export npm_config_cache := $(CURDIR)/$(CACHE)/npm
endif

# The sitemap has the date of the last commit, so that two builds are identical. Without
# git or a repository, it has today's date.
export SOURCE_DATE_EPOCH ?= $(shell (git log -1 --format=%ct || date +%s) 2>/dev/null)
# Citations and the footer of each page name the commit.
export SOURCE_COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
# Switches off Material's banner about the future of MkDocs; see the pins in requirements.in.
export NO_MKDOCS_2_WARNING := 1
# Container images with Python set this. Without cached bytecode, each process of the tests would compile all code again.
unexport PYTHONDONTWRITEBYTECODE

PIP := pip install --quiet --disable-pip-version-check --require-hashes --no-deps

# Tests run in parallel, but those of one file run in one process, because they share what the file sets up.
# tests/conftest.py decides their order.
PYTEST := $(VENV)/bin/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

# `make check` leaves these tests to `make test`: those with random samples, and those that read every page.
LATER := --ignore-glob=*_by_chance.py $(addprefix --ignore=tests/,counting/test_fuzz.py counting/test_properties.py rendering/test_every_page.py rendering/test_beside_numbers.py)

.PHONY: help serve test check same build lint record bench verify lock clean

# Bytecode is kept out of the source folders, because each new file in a folder that MkDocs watches starts another build.
serve build: export PYTHONPYCACHEPREFIX := $(CURDIR)/$(CACHE)/bytecode

help: # list these commands
	@sed -nE 's/^([a-z]+):[^#]* # (.*)/make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

serve: $(READY) # serve the site at http://127.0.0.1:8000, rebuilt after every change; elsewhere with PORT=8001
	@$(VENV)/bin/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT)))' 2>/dev/null || \
		{ echo "the site cannot be served at 127.0.0.1:$(PORT), which is taken or not allowed. Try make serve PORT=8001" >&2; exit 1; }
	$(VENV)/bin/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

test: lint # run everything that guards the site
	$(VENV)/bin/python -m tests.docs.get_browser
	$(PYTEST) $(TESTS)

check: lint # run what guards the engine and the rendering, in about half a minute
	$(PYTEST) tests/counting tests/example tests/rendering macros $(LATER)

same: $(READY) # show what differs in the published site from the last commit, file by file; from another one with BASE=<commit>
	$(VENV)/bin/python -m tests.same $(BASE)

# CI prints hand-outs as PDF, so it needs Playwright. Elsewhere they are printed only if Playwright is installed.
build: $(if $(CI),$(TESTS_READY),$(READY)) # build the site as it is published, into site/
	$(VENV)/bin/python -c "import macros.site"
	CI=true PAPER=$(if $(CI),required,if-possible) $(VENV)/bin/mkdocs build --site-dir site

# CI always checks the scripts. Elsewhere they are not checked without Node.js, which the site does not need.
ifneq (,$(shell command -v node >/dev/null 2>&1 && command -v npm 2>/dev/null))
lint: $(TESTS_READY) $(SCRIPTS_READY) # check style and types
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

record: $(TESTS_READY) # record the addresses of new pages, headings and files, which are kept from then on
	$(VENV)/bin/python -m tests.docs.test_ids

bench: $(TESTS_READY) $(ORACLES)/current/.ready # measure how fast the engine counts, compared with transformers, and how fast the calculator answers a key
	$(ORACLES)/current/bin/python -m tests.bench.bench
	$(VENV)/bin/python -m tests.bench.calculator

verify: $(TESTS_READY) $(VERIFIED:%=$(ORACLES)/%/.ready) # run the real implementations anew, and compare them with their recordings
	$(ORACLES)/current/bin/python -m tests.oracles.record_transformers
	$(ORACLES)/current/bin/python -m tests.oracles.record_others
	$(ORACLES)/current/bin/python -m tests.oracles.record_configs
	$(ORACLES)/current/bin/python -m tests.oracles.record_published
	$(ORACLES)/current/bin/python -m tests.oracles.record_models
	$(ORACLES)/current/bin/python -m tests.oracles.record_peft
	$(ORACLES)/current/bin/python -m tests.oracles.record_operations
	PYTHONPATH=$(ORACLES)/profilers $(ORACLES)/current/bin/python -m tests.oracles.record_profilers
	$(ORACLES)/current/bin/python -m tests.oracles.record_printouts current
	PYTHONPATH=$(ORACLES)/profilers $(ORACLES)/current/bin/python -m tests.oracles.record_printouts profilers
	$(ORACLES)/current/bin/python -m tests.oracles.record_activations
	$(ORACLES)/current/bin/python -m tests.oracles.record_peaks
	$(ORACLES)/current/bin/python -m tests.oracles.record_changed
	$(ORACLES)/current/bin/python -m tests.oracles.record_peft_lines
	$(ORACLES)/current/bin/python -m tests.oracles.record_adapter_configs
	$(ORACLES)/current/bin/python -m tests.oracles.record_training
	$(ORACLES)/current/bin/python -m tests.oracles.record_toy
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_changed
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_transformers
	$(ORACLES)/transformers4/bin/python -m tests.oracles.record_flax
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_google_bert $(ORACLES)/google-bert
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_keras_bert
	$(KERAS) $(ORACLES)/current/bin/python -m tests.oracles.record_bert4keras
	KERAS_BACKEND=tensorflow TF_CPP_MIN_LOG_LEVEL=3 $(ORACLES)/current/bin/python -m tests.oracles.record_keras_hub
	$(VENV)/bin/python -m pytest -q tests/counting/frameworks/test_recordings.py tests/counting/test_recorded_configs.py tests/counting/test_published_configs.py tests/counting/test_models.py tests/counting/test_changes.py tests/counting/test_operations.py tests/counting/published/test_profilers.py tests/counting/published/test_printouts.py tests/counting/test_training.py tests/example
	$(VENV)/bin/python -m tests.docs.get_browser
	$(VENV)/bin/python -m tests.oracles.calculator_snippets $(ORACLES)/snippets.json
	$(ORACLES)/current/bin/python -m tests.oracles.run_snippets $(ORACLES)/snippets.json
	$(ORACLES)/transformers4/bin/python -m tests.oracles.run_snippets $(ORACLES)/snippets.json transformers4
	$(ORACLES)/current/bin/python -m tests.oracles.run_statements
	$(ORACLES)/current/bin/python -m tests.oracles.read_banks $(ORACLES)/moodle $(ORACLES)/qti-migration-tool

# Because of torch, pip-compile alone is not enough. The wheel for Linux on the default index requires three gigabytes of
# CUDA libraries, which models on the meta device never use. A build without them is on another index only, and no lock
# names an index. So a lock allows either build: it also has the hash of the CPU build, for anyone whose pip is given an
# index that has it (PIP_EXTRA_INDEX_URL), and the CUDA libraries have a separate lock.
CUDA := tests/oracles/requirements-cuda.txt
CUDA_LINES := /^(cuda|nvidia|triton)[-=]/,/[^\\]$$/
# The hash of torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl.
CPU_BUILD := --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b

lock: # write every lock file of Python packages anew, from the requirements*.in of the same name
	$(PYTHON) -m venv --clear $(CACHE)/lock && $(CACHE)/lock/bin/pip install --quiet pip-tools==7.6.2
	for lock in requirements tests/requirements tests/oracles/requirements tests/oracles/requirements-transformers4; do \
		env -u PIP_FIND_LINKS $(CACHE)/lock/bin/pip-compile --quiet --allow-unsafe --generate-hashes --strip-extras \
			--no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --upgrade \
			--output-file $(CACHE)/lock/lock.txt $$lock.in && \
		sed -E '$(CUDA_LINES)d; s/^(torch==.*)/\1\n    $(CPU_BUILD) \\/' $(CACHE)/lock/lock.txt >$$lock.txt && \
		sed -nE '$(CUDA_LINES)p' $(CACHE)/lock/lock.txt >$(CACHE)/lock/cuda.txt && \
		{ test ! -s $(CACHE)/lock/cuda.txt || cp $(CACHE)/lock/cuda.txt $(CUDA); } && rm $(CACHE)/lock/lock.txt || exit; \
	done

clean: # remove everything that the other commands have made
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

# Makes an environment with the packages in the locks and nothing else. The CUDA libraries are installed only if torch cannot
# be imported without them. bert4keras requires a Keras that can no longer be installed but works with tf_keras, so its
# requirements are not installed.
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

# The profilers are installed next to the environment that has torch, and not into it, so that nothing else can import
# the packages that they bring with them.
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

# Clones only the files that are needed, at one commit. The first argument is the name of the variable with the address;
# the second has the paths of the files.
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
