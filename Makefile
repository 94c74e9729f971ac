# spqtree: a PostgreSQL extension, built by PGXS
#
#   make                     build for the PostgreSQL that pg_config names
#   make PG_CONFIG=/path/to/pg_config
#   make WERROR=1            with all warnings, as errors
#   make -f DIR/Makefile     build out of tree, in the current directory; DIR has no
#                            objects of its own
#   make ASSERT=1            with assertions, whether or not the server has them, and
#                            with faults for tests (spqtree.inject)
#   make SANITIZE=1          with AddressSanitizer and UBSan, for a server that
#                            preloads their runtime
#   make COVERAGE=1          for gcov
#   make install             into that PostgreSQL
#   make install prefix=DIR  into a directory of its own, for PostgreSQL 18
#   make installcheck        regression and isolation tests, against the running
#                            server that PGHOST, PGPORT and PGUSER name
#   make check-unit          the parts that need no server, under sanitizers
#   make check-tap           crash recovery and standby, on servers of their own
#   make bench               measures index and join and their alternatives, on a
#                            server of its own, into bench/results: an hour
#   make bench-quick         a short version, into bench/results/quick: five minutes
#   make dist                two zips of the last commit, for PGXN
#
# scripts/test runs the tests against a private server, also under sanitizers,
# valgrind or gcov.

# Where the sources are. PGXS, included below, sets it by the same rule.
srcdir := $(or $(VPATH),$(patsubst %/,%,$(dir $(firstword $(MAKEFILE_LIST)))))

# The code of these companions is in the library of spqtree. spqtree_postgis has a library of its own, in postgis/.
COMPANIONS = spqtree_cube spqtree_ip4r spqtree_seg
EXTENSION = spqtree $(COMPANIONS)
MODULE_big = spqtree

# The version is written in the control file; META.json has to repeat it, and
# "make dist" compares the two.
version_of = $(shell sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" '$(srcdir)/$(1).control')
EXTVERSION := $(call version_of,spqtree)
ifeq ($(EXTVERSION),)
$(error spqtree.control does not say a version)
endif

# The scripts are made of pieces of SQL, by sql/expand.awk: see sql/README.md.  A piece
# comes after those that it needs.
PIECES = $(patsubst %,$(srcdir)/sql/%.sql.in, \
	shapes space_types space_operators distance ranges \
	access_method shape_classes space_classes range_classes network_classes scalar_classes quadtree \
	join cluster cells parts inspect watch advise)
SCRIPT = sql/spqtree--$(EXTVERSION).sql
COMPANION_SCRIPTS = $(foreach name,$(COMPANIONS),sql/$(name)--$(call version_of,$(name)).sql)
DATA_built = $(SCRIPT) $(COMPANION_SCRIPTS)

# Scripts that update, if there are any.
DATA := $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/sql/*--*--*.sql))
ifneq ($(filter sql/spqtree--%,$(DATA)),)
ifeq ($(filter sql/spqtree--%--$(EXTVERSION).sql,$(DATA)),)
$(error spqtree.control says version "$(EXTVERSION)", but no script in sql/ leads to it)
endif
endif

in_tree = $(wildcard $(addprefix $(srcdir)/src/,$(1) */$(1) */*/$(1)))
SOURCES := $(patsubst $(srcdir)/%,%,$(sort $(call in_tree,*.c)))
INCLUDED := $(call in_tree,*.h)
OBJS = $(SOURCES:.c=.o)

# Out of tree, the folders of what is built are not there yet.
ifneq ($(srcdir),.)
$(shell mkdir -p sql $(sort $(dir $(OBJS))))
endif

# Where PostgreSQL tracks dependencies itself it does so by base name.
ifneq ($(words $(SOURCES)),$(words $(sort $(notdir $(SOURCES)))))
$(error two files below src have the same name: $(SOURCES))
endif

# PGXS' srcdir ends with a slash; of a path with two of them, ccache does not find the header.
PG_CPPFLAGS = -I$(patsubst %/,%,$(srcdir))/src -DSPQ_VERSION='"$(EXTVERSION)"'

# Distances are the same on every machine: a product and a sum are rounded twice,
# also where one instruction would do both.
PG_CFLAGS = -ffp-contract=off

# PostgreSQL's own headers do not pass -Wextra: as system headers they are exempt.
# pg_config's flags are for gcc, and clang warns about those that it does not know.
ifdef WERROR
PG_CPPFLAGS += -isystem $(includedir_server)
PG_CFLAGS += -Wall -Wextra -Werror -Wno-unused-parameter
PG_CFLAGS += $(if $(findstring clang,$(CC)),-Wno-unknown-warning-option -Wno-ignored-optimization-argument)
endif

# For tests. A change of these needs "make clean". Assertions of an extension work
# with any server: they call a function that every server has.
ifdef ASSERT
PG_CPPFLAGS += -DUSE_ASSERT_CHECKING=1
endif

# Overflow in casts from floating point is undefined, too, but gcc does not include it.
SANITIZERS = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
ifdef SANITIZE
PG_CFLAGS += -O1 -g -fno-omit-frame-pointer $(SANITIZERS)
SHLIB_LINK += $(SANITIZERS)
endif

# Without optimization, so that lines are not merged.
ifdef COVERAGE
PG_CFLAGS += -O0 -g --coverage
SHLIB_LINK += --coverage
endif

# The input of the regression tests is in test/, so that sql/ holds only what is for
# installation; the expected output is in expected/. New files below test/sql and
# test/isolation/specs are found; those named run first, because others build on
# them or because they are simple. A test of an extension that is not contrib's has its
# name, and is left out if it is not installed.
TESTS := $(sort $(notdir $(basename $(wildcard $(srcdir)/test/sql/*.sql))))
FIRST = opclass compare operators knn exactness shapes growth
ABSENT = $(if $(wildcard $(datadir)/extension/ip4r.control),,ip4r)
REGRESS = $(filter $(TESTS),$(FIRST)) $(filter-out $(FIRST) $(ABSENT),$(TESTS))
ISOLATION = $(sort $(notdir $(basename $(wildcard $(srcdir)/test/isolation/specs/*.spec))))

# Since PostgreSQL 16, pg_regress needs to be told where expected/ is; before, it
# does not know the option.
PG_REGRESS = $(top_builddir)/src/test/regress/pg_regress
expecteddir = $(if $(findstring --expecteddir,$(shell $(PG_REGRESS) --help)),--expecteddir=$(1))
REGRESS_OPTS = --inputdir=$(srcdir)/test $(call expecteddir,$(srcdir))
ISOLATION_OPTS = --inputdir=$(srcdir)/test/isolation $(call expecteddir,$(srcdir)/test/isolation)

EXTRA_CLEAN = spqtree-*.zip

# "make install prefix=DIR" installs below DIR, where PostgreSQL 18 finds the
# extension by extension_control_path and dynamic_library_path.  These are the
# directories that PostgreSQL's manual names; what PGXS makes of a prefix depends
# on how PostgreSQL was configured, and Debian's ignores it.
ifeq ($(origin prefix),command line)
below_prefix = $(if $(findstring postgres,$(prefix))$(findstring pgsql,$(prefix)),,/postgresql)
override datadir := $(prefix)/share$(below_prefix)
override pkglibdir := $(prefix)/lib$(below_prefix)
endif

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
ifeq ($(PGXS),)
$(error "$(PG_CONFIG) --pgxs" printed nothing: install the server's development files (Debian: postgresql-server-dev-NN), or name another with PG_CONFIG=)
endif

# A PostgreSQL built with LLVM expects bitcode of every source, for inlining, made by
# the clang that built the server. Without that clang the extension has no bitcode;
# nor has it for sanitizers and gcov, which inlined bitcode would bypass.
setting = $(shell sed -n 's/^$(1) *= *//p' $(dir $(PGXS))../Makefile.global)
ifneq ($(SANITIZE)$(COVERAGE),)
override with_llvm = no
else ifneq ($(and $(shell command -v $(call setting,CLANG)),$(wildcard $(call setting,LLVM_BINPATH)/llvm-lto)),)
# as PostgreSQL was configured
else
override with_llvm = no
endif

include $(PGXS)

# Bitcode has flags of its own. Compiled for the machine that it runs on, it could use an instruction
# for a product and a sum.
BITCODE_CFLAGS += -ffp-contract=off
ifdef WERROR
BITCODE_CFLAGS += -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unknown-warning-option
endif

TYPES = $(wildcard $(srcdir)/src/types/*/*_type.c)
expand = awk -v templates=$(srcdir)/sql/templates -v types="$(TYPES)" -f $(srcdir)/sql/expand.awk
EXPANDED_BY = $(srcdir)/sql/expand.awk $(wildcard $(srcdir)/sql/templates/*.sql) $(TYPES) $(srcdir)/Makefile

$(SCRIPT): $(PIECES) $(EXPANDED_BY)
	$(expand) $(PIECES) >$@
$(COMPANION_SCRIPTS): $(patsubst %,$(srcdir)/sql/%.sql.in,$(COMPANIONS)) $(EXPANDED_BY)
	$(expand) '$(srcdir)/$(firstword $(subst --, ,$@)).sql.in' >$@

# The scripts alone, for documents.
.PHONY: scripts
scripts: $(DATA_built)

unlisted = $(filter-out $(PIECES) $(COMPANIONS:%=$(srcdir)/sql/%.sql.in),$(wildcard $(srcdir)/sql/*.sql.in))
ifneq ($(unlisted),)
$(error the Makefile does not list the piece $(unlisted))
endif

# A script with an error in a piece does not stay.
.DELETE_ON_ERROR:

# Not every PostgreSQL is configured to track dependencies: every object depends on
# every header.
$(OBJS) $(OBJS:.o=.bc): $(INCLUDED)

# The join engine once more, in three dimensions.
src/join/engine/join3.o src/join/engine/join3.bc: $(wildcard $(srcdir)/src/join/*/*.c)
src/join/shared/shared3.o src/join/shared/shared3.bc: $(wildcard $(srcdir)/src/join/shared/*.c)

# Loops over eight entries, which -O2 alone does not vectorize.
src/rtree/place/choose_child.o src/rtree/class3/solid_distance.o: CFLAGS += $(CFLAGS_VECTORIZE)

.PHONY: bench bench-quick check-unit check-tap clean-unit dist

check-unit:
	$(MAKE) --no-print-directory -C $(srcdir)/test/unit check

clean: clean-unit
clean-unit:
	$(MAKE) --no-print-directory -C $(srcdir)/test/unit clean

# As PostgreSQL's prove_installcheck, for files in test/t. BINDIR may name the
# programs of another copy of the same PostgreSQL.
BINDIR = $(bindir)
PROVE_TESTS = t/*.pl

check-tap:
	@test "$$(id -u)" != 0 || { \
	  echo 'make check-tap starts servers, which PostgreSQL refuses to do for root:' >&2; \
	  echo 'run it as another user, or use scripts/test, which changes the user.' >&2; \
	  exit 1; }
	rm -rf '$(CURDIR)/tmp_check'
	$(MKDIR_P) '$(CURDIR)/tmp_check/log'
	cd $(srcdir)/test && \
	  TESTDIR='$(CURDIR)' TESTDATADIR='$(CURDIR)/tmp_check' TESTLOGDIR='$(CURDIR)/tmp_check/log' \
	  PG_CONFIG='$(PG_CONFIG)' PATH='$(BINDIR)':"$$PATH" PGPORT='6$(DEF_PGPORT)' PG_REGRESS='$(abspath $(PG_REGRESS))' \
	  $(PROVE) -I '$(abspath $(top_srcdir))/src/test/perl' $(PROVE_FLAGS) $(PROVE_TESTS)

bench:
	$(srcdir)/bench/run
bench-quick:
	$(srcdir)/bench/run --quick

# The companion for PostGIS is a distribution of its own, with what it shares with spqtree.
# META.json names the scripts that the build makes: the client of PGXN creates extensions only
# of files that end in .sql.
COMPANION = spqtree_postgis-$(EXTVERSION)
COMPANION_FILES = LICENSE postgis src/compat.h src/box/box.h src/box/lanes.h src/box/line.h src/box/relation.h src/types/type.h src/solid/geometry/solid.h sql/expand.awk sql/templates

dist:
	@for meta in META.json postgis/dist/META.json; do \
	  ! sed '/"meta-spec"/,$$d' $$meta | grep -E '"version": |--[0-9.]*[.]sql' | grep -qvE '"$(EXTVERSION)"|--$(EXTVERSION)[.]sql' || \
	    { echo "$$meta does not say version $(EXTVERSION) everywhere, as spqtree.control does" >&2; exit 1; }; \
	done
	git archive --format zip --prefix=spqtree-$(EXTVERSION)/ --output spqtree-$(EXTVERSION).zip HEAD
	git archive --format zip --prefix=$(COMPANION)/ --output $(COMPANION).zip \
	  --add-file=postgis/dist/META.json --add-file=postgis/dist/Makefile HEAD $(COMPANION_FILES)
