# Every target works on a clean clone; `make help` lists them.
GOLANGCI_VERSION := v2.15.0
BIN := $(CURDIR)/.bin
GO ?= go
FUZZTIME ?= 5s

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -E '^[a-z%-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

.PHONY: build
build: ## Build ./catena, pure Go, without debug tables
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o catena .

.PHONY: run
run: ## Serve on 127.0.0.1:8765
	$(GO) run .

.PHONY: test
test: ## All unit and end-to-end tests, and those of the measuring programs; needs Go only
	$(GO) test $(TESTFLAGS) ./...
	$(GO) -C bench test $(TESTFLAGS) ./...

.PHONY: purego
purego: ## The tests of tables where no vector instructions are, here and compiled for another processor
	$(GO) test -tags purego ./table/content ./table/csv ./table/load
	GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./table/...

# -race brings checks of unsafe pointers, and one of each access to memory. SQLite is C put into Go, whose memory is not of Go's heap: the
# detector passes over each address there, so that they have nothing to find and take three quarters of the time of what uses a store. The driver
# over SQLite, which takes and gives Go's values, is watched as all else is.
RACE := -race -gcflags='modernc.org/...=-d=checkptr=0' -gcflags='modernc.org/sqlite/lib=-d=checkptr=0 -race=false' -timeout 30m
.PHONY: race
race: ## The same under the race detector; needs a C compiler
	CGO_ENABLED=1 $(GO) test $(RACE) ./...
	CGO_ENABLED=1 $(GO) -C bench test $(RACE) ./upstreams ./faults/... # the others score files, one after another

.PHONY: integration
integration: integration-product integration-bench ## Against real servers: npm's MCP servers and conformance suite, chromium; -j2 runs those of bench beside the others

INTEGRATION = -tags integration -count=1 -timeout 30m -v -run '^TestIntegration'
.PHONY: integration-product
integration-product:
	npm ci --prefix internal/e2e/testdata/npm --no-audit --no-fund --loglevel=error
	$(GO) test $(INTEGRATION) $$(grep -rl '^//go:build integration' --include='*_test.go' --exclude-dir=bench . | xargs -n1 dirname | sort -u)

.PHONY: integration-bench
integration-bench:
	$(GO) -C bench test $(INTEGRATION) $$(cd bench && grep -rl '^//go:build integration' --include='*_test.go' . | xargs -n1 dirname | sort -u)

.PHONY: clients
clients: ## Clients of MCP and of OpenAI's protocol that people use, from PyPI and npm, against the program; CI has those of internal/e2e/testdata/clients/requirements.txt
	npm ci --prefix internal/e2e/testdata/npm --no-audit --no-fund --loglevel=error
	/usr/bin/env python3 -m venv .bin/clients
	.bin/clients/bin/pip install -q --disable-pip-version-check -r internal/e2e/testdata/clients/requirements.txt
	/usr/bin/env python3 -m venv .bin/clients-more
	.bin/clients-more/bin/pip install -q --disable-pip-version-check -r internal/e2e/testdata/clients/requirements-more.txt
	CLIENTS=$(CURDIR)/.bin/clients/bin/python CLIENTS_MORE=$(CURDIR)/.bin/clients-more/bin/python \
	  $(GO) test -tags integration -count=1 -v -run '^TestIntegration(Clients|SDK|Bridges|Mcporter)$$' ./internal/e2e

.PHONY: openapi
openapi: ## What /openapi.json describes against what is served, by schemathesis from PyPI; EXAMPLES (default 100) tries an operation, under SEED (default 1)
	/usr/bin/env python3 -m venv .bin/openapi
	.bin/openapi/bin/pip install -q --disable-pip-version-check -r internal/e2e/testdata/openapi/requirements.txt
	OPENAPI=$(CURDIR)/.bin/openapi/bin/python OPENAPI_EXAMPLES=$(EXAMPLES) OPENAPI_SEED=$(SEED) \
	  $(GO) test -tags integration -count=1 -v -run '^TestIntegrationOpenAPI$$' ./internal/e2e

.PHONY: lint
lint: $(BIN)/golangci-lint ## gofmt, go.mod, vet and the linters of .golangci.yml
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); exit 1; }
	@! git grep -nE '^(<{7}|>{7}) ' -- . # what a merge left behind
	$(GO) mod tidy -diff
	$(GO) -C bench mod tidy -diff
	$(GO) vet -tags integration ./...
	$(GO) -C bench vet -tags integration ./...
	$(BIN)/golangci-lint run ./...
	cd bench && $(BIN)/golangci-lint run ./...

.PHONY: checks
checks: ## lint and purego, for what runs beside them: they give way
	@nice -n 10 $(MAKE) --no-print-directory lint purego

$(BIN)/golangci-lint:
	GOBIN=$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

# Inputs are told apart by what they reach in this module: where all that it imports were counted, too, most would be tried again and again
# for what other goroutines happen to do. Packages are built at once, and fuzzed side by side on as many processors as there are.
FUZZED = $$(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u)
.PHONY: fuzz
fuzz: ## Each fuzz target for FUZZTIME (default 5s; 500x is a number of inputs), until one fails
	@corpus=$$(mktemp -d); trap "rm -rf $$corpus" EXIT; FUZZTIME=$(FUZZTIME) FUZZCORPUS=$$corpus \
	  $(GO) test -run '^$$' -count=1 -timeout 0 -failfast -gcflags=catena/...=-d=libfuzzer -exec $(CURDIR)/.ci/fuzz $(FUZZED)

FUZZLONG ?= 10m
FUZZDIRS ?= table profiler formatter
.PHONY: fuzz-long
fuzz-long: ## Each fuzz target of FUZZDIRS (default table, profiler and formatter) for FUZZLONG (default 10m); goes on after a failure and ends with the list of them
	@failed=; log=$$(mktemp); corpus=$$(mktemp -d); for file in $$(grep -rlE '^func Fuzz' --include='*_test.go' $(FUZZDIRS) | sort); do \
	  for f in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
	    if $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZLONG) -fuzzminimizetime 10x $(FUZZFLAGS) ./$$(dirname $$file) -args -test.fuzzcachedir=$$corpus/$$f >$$log 2>&1; \
	    then echo "passed $$(dirname $$file) $$f: $$(grep -E '^fuzz: elapsed' $$log | tail -1)"; \
	    else echo "FAILED $$(dirname $$file) $$f"; cat $$log; failed="$$failed $$f"; fi; done; done; \
	  rm -rf $$log $$corpus; test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

.PHONY: bench
bench: ## The hot paths, as Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

# A measuring program of bench, by its name. DATA is the folder that it reads, from here; FLAGS are the program's.
MEASURE = $(GO) -C bench run ./$(1) $(if $(2),-data $(abspath $(2)))

.PHONY: bars
bars: ## What takes longer than CI may: BENCH is the folder of the public question sets, TABLE_BENCH that of the table sets, PLAN_BENCH that of the plan sets
	$(call MEASURE,turn) -n 20000
	$(call MEASURE,surface,$(or $(SURFACE),../shared/design))
	$(call MEASURE,questions,$(or $(BENCH),../shared/bench/questions))
	$(call MEASURE,memory)
	$(call MEASURE,persona)
	$(call MEASURE,codeindex)
	@set -e; for b in csvload semtypes names stats formats anomalies mdtokens; do \
	  echo "$(call MEASURE,$$b)"; $(call MEASURE,$$b,$(or $(TABLE_BENCH),../shared/bench/table)); done
	$(call MEASURE,repair,$(or $(PLAN_BENCH),../shared/bench/plan))
	$(MAKE) grammars load faults conformance

.PHONY: sizes
sizes: ## Lines, files, branches and terms of the house, and what is too large (FLAGS=-over)
	$(call MEASURE,sizes) $(FLAGS)

bench-%: ## A measuring program of bench by its name, as make bench-names DATA=FOLDER FLAGS='-v'
	$(call MEASURE,$*,$(DATA)) $(FLAGS)

.PHONY: load
load: ## Messages, streams, attacks, half an hour of use, calls over MCP, servers that break: an hour, alone on a machine; goes on after a miss and ends with the list of them
	@failed=; for b in 'load -for 5m' hostile soak mcp upstreams; do \
	  echo "$(call MEASURE,$$b)"; $(call MEASURE,$$b) || failed="$$failed, $$b"; done; \
	test -z "$$failed" || { echo "missed$$failed"; exit 1; }

.PHONY: load-short
load-short: ## The same in about a minute each
	$(call MEASURE,load) -for 8s -streams 1000 -active 200 -length 8s -chains 200
	$(call MEASURE,hostile) -short
	$(call MEASURE,soak) -for 30s -rate 10
	$(call MEASURE,mcp) -short

.PHONY: faults
faults: ## Processes killed in the middle of their work, stores that go away, a disk that stops: an hour; FLAGS are the program's
	$(call MEASURE,faults) $(FLAGS)

.PHONY: conformance
conformance: ## The server side of the MCP conformance suite, ten times in a row
	npm ci --prefix internal/e2e/testdata/npm --no-audit --no-fund --loglevel=error
	$(GO) test -tags integration -count=10 -v -run '^TestIntegrationConformance$$' ./internal/app

.PHONY: grammars
grammars: ## The schema of plans in the grammars of llama.cpp, llguidance and xgrammar; needs Debian's python3-torch and python3-venv
	/usr/bin/python3 -m venv --system-site-packages .bin/xgrammar
	.bin/xgrammar/bin/pip install -q --no-deps --ignore-installed -r internal/e2e/testdata/grammars/requirements.txt -r internal/e2e/testdata/grammars/requirements-xgrammar.txt
	.bin/xgrammar/bin/pip install -q --ignore-installed transformers==5.24.0
	.bin/xgrammar/bin/pip download -q --no-deps --no-binary llama-cpp-python llama-cpp-python==0.3.36 -d .bin/grammars
	XGRAMMAR=1 PYTHON=$(CURDIR)/.bin/xgrammar/bin/python $(GO) test -tags integration -count=1 -timeout 30m -v -run TestIntegrationGrammars ./planner

.PHONY: bench-tables
bench-tables: ## Tables beside pandas and DuckDB; needs a C compiler, and python3-pandas for its part; FLAGS are the program's
	CGO_ENABLED=1 $(GO) -C bench run -tags duckdb ./tables -json $(FLAGS)

.PHONY: docs
docs: ## Rewrite the generated pages docs/tools.md and docs/config.md
	$(GO) test -run 'TestDocs' ./internal/archtest -update
