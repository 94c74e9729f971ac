# spqtree: a PostgreSQL extension, built by PGXS
#
#   make                     build for the PostgreSQL that pg_config names
#   make PG_CONFIG=/path/to/pg_config
#   make WERROR=1            every warning on, each an error
#   make ASSERT=1            assertions are checked, whether or not the server's are
#   make SANITIZE=1          with AddressSanitizer and UBSan, which only a server
#                            takes that has their runtime preloaded
#   make COVERAGE=1          counts the lines that are run, for gcov
#   make install             into that PostgreSQL
#   make install prefix=DIR  into a directory of its own, for PostgreSQL 18
#   make installcheck        regression and isolation tests, against the running
#                            server that PGHOST, PGPORT and PGUSER name
#   make check-unit          the parts that need no server, under sanitizers
#   make check-tap           crash recovery and standby, on servers of their own
#   make bench               index and join measured beside what else there is, on a
#                            server of its own, into bench/results: 35 minutes
#   make bench-quick         a trial of that, into bench/results/quick: five minutes
#   make dist                a zip of the last commit, as PGXN takes it
#
# scripts/test runs all of these against a private server, scripts/sanitize,
# scripts/valgrind and scripts/coverage do so with what their names say.

EXTENSION = spqtree
MODULE_big = spqtree

# The version is written in the control file; META.json has to repeat it, and
# "make dist" compares the two.
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" spqtree.control)

DATA = $(wildcard sql/*--*.sql)
ifeq ($(filter sql/$(EXTENSION)--%--$(EXTVERSION).sql,$(DATA)),)
ifeq ($(filter sql/$(EXTENSION)--$(EXTVERSION).sql,$(DATA)),)
$(error spqtree.control says version "$(EXTVERSION)", but no script in sql/ leads to it)
endif
endif

SOURCES := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
INCLUDED := $(wildcard src/*.h src/*/*.h src/*/*/*.h)
OBJS = $(SOURCES:.c=.o)

# Where PostgreSQL tracks dependencies itself it does so by base name.
ifneq ($(words $(SOURCES)),$(words $(sort $(notdir $(SOURCES)))))
$(error two files below src have the same name: $(SOURCES))
endif

PG_CPPFLAGS = -I$(srcdir)/src -DSPQ_VERSION='"$(EXTVERSION)"'

# PostgreSQL's own headers do not pass -Wextra: as system headers they are not
# looked at. pg_config's flags are made for gcc, and clang warns of those that
# it does not know.
ifdef WERROR
PG_CPPFLAGS += -isystem $(includedir_server)
PG_CFLAGS += -Wall -Wextra -Werror -Wno-unused-parameter
PG_CFLAGS += $(if $(findstring clang,$(CC)),-Wno-unknown-warning-option -Wno-ignored-optimization-argument)
endif

# What looks into the program while tests run. A change of these needs "make
# clean". Server code takes assertions of an extension as they are: they end in
# a function that every server has.
ifdef ASSERT
PG_CPPFLAGS += -DUSE_ASSERT_CHECKING=1
endif

# Overflow in casts from floating point is undefined, too, but gcc leaves it out.
SANITIZERS = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
ifdef SANITIZE
PG_CFLAGS += -O1 -g -fno-omit-frame-pointer $(SANITIZERS)
SHLIB_LINK += $(SANITIZERS)
endif

# Without optimization, so that a line is a line.
ifdef COVERAGE
PG_CFLAGS += -O0 -g --coverage
SHLIB_LINK += --coverage
endif

# The input of the regression tests is in test/, so that sql/ holds only what
# is installed; what they should print is in expected/. A new file below
# test/sql or test/isolation/specs is run without being listed; named are
# those that come first: what others build on, then from the plain to the odd.
TESTS := $(sort $(notdir $(basename $(wildcard test/sql/*.sql))))
FIRST = opclass compare operators knn exactness compact shapes growth
REGRESS = $(filter $(TESTS),$(FIRST)) $(filter-out $(FIRST),$(TESTS))
ISOLATION = $(sort $(notdir $(basename $(wildcard test/isolation/specs/*.spec))))

# From PostgreSQL 16 on pg_regress wants to be told where expected/ is; before,
# it does not know the option.
PG_REGRESS = $(top_builddir)/src/test/regress/pg_regress
expecteddir = $(if $(findstring --expecteddir,$(shell $(PG_REGRESS) --help)),--expecteddir=$(1))
REGRESS_OPTS = --inputdir=$(srcdir)/test $(call expecteddir,$(srcdir))
ISOLATION_OPTS = --inputdir=$(srcdir)/test/isolation $(call expecteddir,$(srcdir)/test/isolation)

EXTRA_CLEAN = $(EXTENSION)-*.zip

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

# A PostgreSQL built with LLVM wants bitcode of every source, for inlining. It
# is made by the very clang that built the server; where that is missing, the
# extension goes without. So it does where it was built to be looked into: what
# is inlined from bitcode would not be.
setting = $(shell sed -n 's/^$(1) *= *//p' $(dir $(PGXS))../Makefile.global)
ifneq ($(SANITIZE)$(COVERAGE),)
override with_llvm = no
else ifneq ($(and $(shell command -v $(call setting,CLANG)),$(wildcard $(call setting,LLVM_BINPATH)/llvm-lto)),)
# as PostgreSQL was configured
else
override with_llvm = no
endif

include $(PGXS)

# Not every PostgreSQL is configured to track dependencies: any header, any
# object.
$(OBJS) $(OBJS:.o=.bc): $(INCLUDED)

.PHONY: bench bench-quick check-unit check-tap clean-unit dist

check-unit:
	$(MAKE) --no-print-directory -C test/unit check

clean: clean-unit
clean-unit:
	$(MAKE) --no-print-directory -C test/unit clean

# What PostgreSQL's prove_installcheck does, for files in test/t. BINDIR may
# name the programs of another copy of the same PostgreSQL.
BINDIR = $(bindir)
PROVE_TESTS = t/*.pl

check-tap:
	@test "$$(id -u)" != 0 || { \
	  echo 'make check-tap starts servers, which PostgreSQL refuses to do for root:' >&2; \
	  echo 'run it as another user, or use scripts/test, which changes the user by itself.' >&2; \
	  exit 1; }
	rm -rf '$(CURDIR)/tmp_check'
	$(MKDIR_P) '$(CURDIR)/tmp_check/log'
	cd $(srcdir)/test && \
	  TESTDIR='$(CURDIR)' TESTDATADIR='$(CURDIR)/tmp_check' TESTLOGDIR='$(CURDIR)/tmp_check/log' \
	  PATH='$(BINDIR)':"$$PATH" PGPORT='6$(DEF_PGPORT)' PG_REGRESS='$(abspath $(PG_REGRESS))' \
	  $(PROVE) -I '$(abspath $(top_srcdir))/src/test/perl' $(PROVE_FLAGS) $(PROVE_TESTS)

bench:
	$(srcdir)/bench/run
bench-quick:
	$(srcdir)/bench/run --quick

dist:
	@test "$$(grep -c '"version": "$(EXTVERSION)"' META.json)" = 2 || { \
	  echo 'META.json does not have version $(EXTVERSION) twice, as spqtree.control says' >&2; exit 1; }
	git archive --format zip --prefix=$(EXTENSION)-$(EXTVERSION)/ --output $(EXTENSION)-$(EXTVERSION).zip HEAD
