SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: assistants terminals fuzz live run test build static docs format lint sanitize threads sweep soak kills mutants bench bench-peers install uninstall deb dist clean help need

PREFIX ?= /usr/local
WARNINGS ?=
ONLY ?=
ROW ?=
COMPARE ?=
RECORD ?=
PLOTS ?=

tool := .build/release/menuctl
sources := Sources Tests Package.swift $(wildcard Benchmarks Fuzz)

strict := $(filter error,$(WARNINGS))
warnings := -Xcc -Wall $(if $(strict),-Xcc -Werror -Xswiftc -warnings-as-errors -Xlinker --fatal-warnings)
# lld comes with the toolchain. Debian's gold warns of a dlopen in the static runtime, and of symbols of the sanitizer.
linker := -Xswiftc -use-ld=lld
common := $(linker) $(warnings)
# One of the compiler's threads waits for those that write the code of a module.
optimized := -c release -Xswiftc -num-threads -Xswiftc $(shell expr $$(nproc) + 1)
# Types of the standard library are asked for directly, where by default each is looked up by name, which takes a sixth of a start.
direct := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The tests look for accesses that overlap, at each access; in the tool they are in order, and the looking would take it a twentieth.
direct += -Xswiftc -enforce-exclusivity=unchecked
release := $(common) $(direct) $(optimized) -Xswiftc -gnone --static-swift-stdlib -Xswiftc -static-executable -Xlinker -s
tested := $(common) $(optimized) -Xswiftc -gline-tables-only -Xswiftc -enable-testing
testing := $(tested) --scratch-path .build/testing
undefined := -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined
# As the tool is built, but for the names, by which callgrind finds what to count; Debian's cannot read the debug information.
benching := $(common) $(direct) $(optimized) --package-path Benchmarks --scratch-path .build/benchmarks $\
	--static-swift-stdlib -Xswiftc -static-executable -Xlinker --strip-debug
# Unoptimized: a changed line is built in two seconds instead of a minute, and the tests of a rule take less than that.
mutating := $(linker) -c debug
# Optimized, as the tests are otherwise. With DEBUG tests take their time, and the tool lets go of what it holds before it ends.
watched := $(tested) -Xswiftc -DDEBUG
sanitizing := $(watched) --scratch-path .build/sanitize --sanitize=address $(undefined)
# Debian's Lua jumps by __longjmp_chk, which the thread sanitizer knows as longjmp only: each error and each yield would be to it a call
# that never ends, of which it can keep 65,536.
# By default the thread sanitizer has each process sleep for a second when it ends; the tests run a tool a thousand times.
threading := $(watched) --scratch-path .build/threads --sanitize=thread -Xlinker --defsym=__longjmp_chk=longjmp

# Build lines that say nothing happened.
build_chatter := /^(Building for |Build (of product .* )?complete!|\[[0-9]+\/[0-9]+\] (Write |Planning |\/))/d
# A line for each test is too many: what failed and the closing line stay, .build/tests.log has the rest.
test_chatter := /^(◇|✔) (Test|Suite) .*( started| passed after [0-9.]+ seconds)\.$$/{/^✔ Test run with /!d};$\
	/^◇ Test case passing /,/ started\.$$/d;/^(  .* points refused once, |allocation failure)/d;/^➜ (Test|Suite) .* skipped(\.|: )/d;/^(◇ Test run started\.|↳ (Testing Library Version|Target Platform): .*)$$/d;$(build_chatter)

build = mkdir -p .build; TELL=3 tools/alive "building: four to eight minutes on two cores, later what changed" $\
	.build/$@-build.log swift build $(1) 3>&2 2>&1 </dev/null | tee .build/$@-build.log | sed -uE '$(build_chatter)' >&2; $\
	$(if $(strict),! grep -q '^warning: ' .build/$@-build.log)
test = rm -f .build/tests.log; TELL=3 tools/alive "testing: some minutes on two cores" .build/tests.log $\
	$(2) swift test $(1) --skip-build --disable-xctest 3>&2 2>&1 </dev/null | tee .build/tests.log | sed -uE '$(test_chatter)'

run: build ## build, then open the example app: in the terminal where there is one, else it is loaded and shown
	@if [ -t 1 ]; then $(tool) ui scripts/photos; else $(tool) load scripts/photos; fi

test: need ## build and run the tests; WARNINGS=error makes a compiler warning an error
	@$(call build,$(testing) --build-tests)
	@$(call test,$(testing),tools/halves)

build: need ## leave the tool, linked statically, in .build/release/menuctl
	@$(call build,$(release) --product menuctl)
	@tools/check-binary $(tool)

static: ## link the tool that 'make test' built, statically, and check that it needs nothing beside it
	@swiftc -use-ld=lld -static-executable -static-stdlib -o .build/testing/static-menuctl -Xlinker -s \
		-Xlinker --defsym=main=menuctl_main @.build/testing/release/menuctl.product/Objects.LinkFileList -l:liblua5.4.a -lm
	@tools/check-binary .build/testing/static-menuctl

docs: build ## write the pages of docs/ that come from Sources/Language, docs/schema.json, and the pictures
	@$(tool) help language --form markdown >docs/reference.md
	@$(tool) help topics --form markdown >docs/topics.md
	@$(tool) help --form schema >docs/schema.json
	@if command -v python3 >/dev/null; then tools/pictures $(tool); else \
		echo "docs: without python3 the pictures stay as they are" >&2; fi

format: ## format the sources in place
	@swift format --in-place --parallel --recursive $(sources)

lint: ## report what 'make format' would change, style findings, mutations of lines that are gone, and hard sentences
	@swift format lint --strict --parallel --recursive $(sources)
	@if command -v python3 >/dev/null; then tools/mutants --check; tools/words --check; \
		else echo "lint: without python3 mutations and sentences are not checked" >&2; fi

sanitize: need ## run the tests under the address, leak and undefined behaviour sanitizers
	@$(call build,$(sanitizing) --build-tests)
	@$(call test,$(sanitizing),tools/halves)

threads: need ## run the tests under the thread sanitizer; FILTER=expression those whose names match
	@$(call build,$(threading) --build-tests)
	@export TSAN_OPTIONS="atexit_sleep_ms=20 $(TSAN_OPTIONS)"; $(call test,$(threading) $(if $(FILTER),--filter "$(FILTER)"))

sweep: need ## refuse memory at every single point of what a host does, where 'make test' takes one of many
	@$(call build,$(testing) --build-tests)
	@SWEEP=1 swift test $(testing) --skip-build --disable-xctest --filter AllocationSweepTests

soak: need ## do a million things to one host, and have twenty clients ask a live one a million times, FOR=number another many, and see that memory stays flat
	@$(call build,$(benching) --product Soak)
	@.build/benchmarks/release/Soak $(FOR)

kills: build ## kill the tool a thousand times while it writes, FOR=number another many, and see that nothing is torn
	@tools/kills $(tool) $(or $(FOR),1000)

live: need ## kill a thousand live apps and connect to one ten thousand times, where 'make test' does a few; FOR=number another many
	@$(call build,$(testing) --build-tests)
	@LIVE_KILLS=$(or $(FOR),1000) CONNECTIONS=$(or $(FOR),10000) swift test $(testing) --skip-build --disable-xctest $\
		--filter 'SocketTests|LiveTests'

mutants: need ## change a line of the sources at a time and expect a test to fail; ONLY=D3 one rule, ONLY=D a section
	@tools/mutants $(if $(ONLY),--only $(ONLY)) -- $(mutating)

# Eleven rows run the tool itself.
bench: $(if $(ROW),$(if $(filter start tests ui-start ui-key ui-menu ui-million ui-filter ui-stream git-start git-key mcp-call,$(ROW)),build,need),build) ## measure against bare C; ROW=name, COMPARE=file an earlier result, PLOTS=folder, RECORD=1 the floors' counts anew
	@$(call build,$(benching))
	@.build/benchmarks/release/Bench $(ROW) --floors Benchmarks/floors.json $(if $(RECORD),--record) \
		$(if $(ROW),,--json .build/bench.json) $(if $(COMPARE),--compare $(COMPARE)) $(if $(PLOTS),--plots $(PLOTS))

bench-peers: build ## measure beside GLib's GAction, Neovim, Emacs, Lua, busted and fzf, where they are installed; ROW=name, COMPARE=file
	@$(call build,$(benching))
	@.build/benchmarks/release/Bench $(ROW) --peers Benchmarks/Peers $(if $(ROW),,--json .build/peers.json) \
		$(if $(COMPARE),--compare $(COMPARE))

fuzz: need ## fuzz a target for a quarter of an hour; TARGET=reference, keys, ansi, menu, json, recording, protocol, clients, mcp, script, terminal, layout or face, FOR=seconds
	@Fuzz/run.sh $(or $(TARGET),reference) $(or $(FOR),900)

terminals: build ## drive the face in tmux, xterm, kitty and foot, where they are installed; what they show is kept in .build/terminals
	@tools/terminals $(tool)

assistants: build ## drive 'menuctl mcp' with the client library from PyPI, in both eras; what was said is kept in .build/assistants
	@tools/assistants $(tool)

install: build ## install the tool, its man page, completions and stubs below PREFIX, /usr/local by default
	@tools/install $(tool) $(DESTDIR)$(PREFIX)

uninstall: ## remove what 'make install' has put below PREFIX
	@tools/install --remove $(DESTDIR)$(PREFIX)

deb: build ## make a Debian package of what 'make install' installs, in .build
	@tools/deb $(tool) .build

dist: build ## pack the static tool, man page, completions, example apps and pages as a tarball for any Linux, in .build
	@tools/dist $(tool) .build

clean: ## remove everything that was built
	@rm -rf .build

help: ## list these targets
	@awk -F ': .*## ' '/^[a-z-]+: .*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

need:
	@tools/need
