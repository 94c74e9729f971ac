# What the unit tests, the fuzzers and bench/kernel build of src/.
#
# They link against a library of all sources in the folders that have code which
# needs no server. The linker takes from a library only the objects that are
# called, so a source may be added, split or renamed below src/ without a change
# here. If code comes to need more of the server, stubs.c has to provide it.
#
# Reads: TOP      the top of the source tree
#        DIR      the folder for objects
#        COMPILE  compiler with options

PG_CONFIG ?= pg_config
SRC = $(TOP)/src
UNIT = $(TOP)/test/unit
FOLDERS = box shapes/* solid/* types types/* lattice divide quadtree quadtree_pages rtree rtree/* spatial spatial/* estimate estimate/* join/* nearest_join
SOURCES = $(wildcard $(FOLDERS:%=$(SRC)/%/*.c))
HEADERS = $(wildcard $(SRC)/*.h $(SRC)/*/*.h $(SRC)/*/*/*.h $(UNIT)/*.h *.h)
INCLUDES = -I$(SRC) -I$(UNIT) -isystem $(shell $(PG_CONFIG) --includedir-server)

# Random numbers, bit tables and qsort are those of the server: its packages
# install them as libraries, together with the headers.
LIBRARIES = -L$(shell $(PG_CONFIG) --pkglibdir) -L$(shell $(PG_CONFIG) --libdir) \
	-lpgcommon -lpgport -lm

OBJECTS = $(patsubst $(SRC)/%.c,$(DIR)/%.o,$(SOURCES)) $(DIR)/stubs.o $(DIR)/stubs_shared.o

$(DIR)/libspqtree.a: $(OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

# The engine once more, in three dimensions.
$(DIR)/join/engine/join3.o: $(wildcard $(SRC)/join/*/*.c)
$(DIR)/join/shared/shared3.o: $(wildcard $(SRC)/join/shared/*.c)

# In src/, in test/unit, and in the folder of the Makefile that includes this.
$(DIR)/%.o: $(SRC)/%.c $(HEADERS)
	@mkdir -p $(@D)
	$(COMPILE) $(INCLUDES) -c -o $@ $<
$(DIR)/%.o: $(UNIT)/%.c $(HEADERS)
	@mkdir -p $(@D)
	$(COMPILE) $(INCLUDES) -c -o $@ $<
$(DIR)/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(COMPILE) $(INCLUDES) -c -o $@ $<

.DEFAULT_GOAL :=
