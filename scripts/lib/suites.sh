# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The test suites of scripts/test, each run by the function named after it.
#
# Uses common.sh, postgres.sh, results.sh, lengths.sh, indent.sh.

# Those of one version by default; with --postgres also those that take compilers or
# more than one version; and those that run only where they are named.
one_suites=(symbols scripts unit regress isolation tap readme model)
all_suites=(compilers indent "${one_suites[@]}" postgis upgrade faults site package)
other_suites=(bench records random postgres gis geos genomes)

suite_compilers() { run_suite compilers check_compilers; }
suite_indent() { run_suite indent check_indent; }
suite_symbols() { run_suite symbols check_symbols; }
suite_scripts() { run_suite scripts check_scripts; }
check_scripts() {
	local file status=0
	for file in "$top"/test/scripts/*_test; do "$file" || status=1; done
	return "$status"
}
# the models of the access method's protocol: every order of steps
model_command=("$top/test/model/run")
suite_model() { run_suite model "${model_command[@]}"; }
# Debian packages and the bundles for PGXN, in bare roots: of the last commit, not of the work tree
package_command=(check_package)
suite_package() { run_suite package "${package_command[@]}"; }
check_package() { "$top/scripts/package" --no-install --tap --out "$work/packages"; }
# These two share nothing with the suites before them, so they run beside those.
begin_model() {
	[ "${suites[0]}" != model ] || return 0
	run_beside model "${model_command[@]}"
	model_command=(follow model)
}
begin_package() {
	[ "${suites[0]}" != package ] || return 0
	run_beside package "${package_command[@]}"
	package_command=(follow package)
}
# the documents as pages, and their links; and, where there is a Chromium, how they look and what the search finds
suite_site() { run_suite site check_site; }
check_site() {
	local open=
	! have chromium || open=--open
	if "$top/scripts/site" --no-install ${open:+"$open"} --out "$work/site" >"$work/site.log" 2>&1; then
		sed -n 's/^ *\([0-9]* pages, .*\): .*/ok - \1/p; s/^ *\([0-9]* pages and .*\)/ok - \1/p' "$work/site.log"
		[ -n "$open" ] || echo 'ok - pages and searches in a browser # SKIP there is no chromium'
	else
		cat "$work/site.log"
		echo 'not ok - the site: see above'
		return 1
	fi
}
suite_unit() {
	# gcov instead of the sanitizers; the function must be used to be linked
	[ "$under" != coverage ] || set -- SANITIZE='--coverage -O0 -Wl,-u,__gcov_dump'
	run_suite unit build check-unit "$@"
}
suite_regress() {
	local half=
	[ -n "$tests" ] || half=$(half_of_tests)
	[ -z "$tests$half" ] || suite_size[regress]=$(wc -w <<<"${half:-$first_tests $tests}")
	run_suite regress build installcheck ISOLATION= ${tests:+REGRESS="$first_tests $tests"} ${half:+TESTS="$half"}
}
# half_of_tests: prints the files of regress that run, or nothing if all do. With several versions,
# all run on the newest, in full length and with assertions, and if no other suite is named; a half
# runs on each of the others, the other half the next day. $share is "NUMBER/OF" of this version.
half_of_tests() {
	local file number=${share%/*}
	[ -n "$share" ] && [ "$number" != "${share#*/}" ] && [ -z "$full" ] && [ "${#suites[@]}" != 1 ] &&
		! "$pg_config" --configure | grep -q enable-cassert || return 0
	for file in "$top"/test/sql/*.sql; do
		file=${file##*/} number=$((number + 1))
		[[ " $first_tests " != *" ${file%.sql} "* ]] && [ $(((number + day) % 2)) = 0 ] || printf '%s ' "${file%.sql}"
	done
}
suite_isolation() { run_suite isolation build installcheck REGRESS=; }
suite_tap() { run_suite tap "${tap_command[@]}"; }
suite_readme() { run_suite readme check_documents; }
suite_postgis() { run_suite postgis check_postgis; }
suite_upgrade() { run_suite upgrade check_upgrade; }
check_upgrade() {
	# with several versions, the old one is made beside the suites before this one
	while [ -e "$SPQTREE_OLD.making" ]; do sleep 1; done
	if ! [ -x "$SPQTREE_OLD/bin/postgres" ]; then
		echo 'not ok - the old version cannot be made'
		tail -n 20 "$SPQTREE_OLD.log"
		return 1
	fi
	build check-tap BINDIR="$pg_bin" PROVE_FLAGS=--verbose PROVE_TESTS='upgrade/*.pl'
}
suite_faults() { run_suite faults check_faults; }
# t/029 at all records, where tap draws some of them.
suite_records() { SPQTREE_RECORDS=all run_suite records prove_tests t/029_rtree_records.pl; }
suite_bench() { run_suite bench check_bench; }
check_bench() {
	companion_install || return
	as_server env BINDIR="$pg_bin" PG_CONFIG="$pg_config" python3 "$work/src/bench/smoke"
}

# The queries of docs/genomes.md and bedtools, on random features.
want_bedtools() { have bedtools || want bedtools 'what the suite genomes compares with'; }
suite_genomes() {
	run_suite genomes as_server env PGUSER="$PGUSER" perl "$work/src/test/genomes/compare" --seed "$first_seed" --seeds "$seeds"
}

# The files of the suite tap in which faults can be injected. If the suite faults runs, it
# runs them instead.
fault_tests='t/013_rtree_crash.pl t/014_rtree_concurrent.pl t/028_rtree_faults.pl t/030_rtree_orders.pl'

# Files of tap that run on each of several versions: crashes, and what depends most on the
# server: dumps, directories, replication, redo.
every_version_tests='t/001_crash.pl t/009_lifecycle.pl t/012_prefix.pl t/013_rtree_crash.pl t/026_watch_life.pl t/034_periods.pl t/035_rtree_redo.pl'

# tap_tests own|other: prints files of the suite tap. With several versions, each file belongs
# to one of them, another one each day; $share is "NUMBER/OF" of this version. own: the files
# that belong to this version, or all. other: files of other versions that run here as well.
tap_tests() {
	local file number=0 kind everywhere=$every_version_tests
	# on a server with assertions, faults can be injected
	! "$pg_config" --configure | grep -q enable-cassert || everywhere+=" $fault_tests"
	for file in "$top"/test/t/*.pl; do
		file=t/${file##*/}
		kind=own
		if [ -n "$share" ] && [ $(((number + day) % ${share#*/} + 1)) != "${share%/*}" ]; then
			kind=other
			[[ " $everywhere " = *" $file "* ]] || kind=
		fi
		number=$((number + 1))
		[ "$kind" = "$1" ] || continue
		chosen faults && [[ " $fault_tests " = *" $file "* ]] || printf '%s ' "$file"
	done
}

# Many TAP tests wait most of the time, and all have their own servers. So prove starts
# before the other suites, and run_suite reads its output when its turn comes:
#
#	prove        |-- t/001 -- t/002 -- ... --|
#	this script  | regress | isolation | tap | readme
#
# It does not run beside a suite that installs the extension again.
tap_command=(check_tap)
prove_tests() {
	[ -z "$*" ] ||
		build check-tap BINDIR="$pg_bin" PROVE_FLAGS=--verbose PROVE_TESTS="$*"
}
# A version's own share runs in full length, since it runs nowhere else.
check_tap() {
	local own other status=0
	own=$(tap_tests own)
	other=$(tap_tests other)
	# shellcheck disable=SC2086  # names of files
	if [ -n "$share" ]; then (full_length && prove_tests $own); else prove_tests $own; fi || status=$?
	[ -n "$other" ] || return "$status"
	# the next run of prove would remove its logs
	[ ! -d "$work/src/tmp_check" ] || as_server mv "$work/src/tmp_check" "$work/own_check"
	# shellcheck disable=SC2086
	prove_tests $other || status=$?
	return "$status"
}
begin_tap() {
	local suite
	suite_size[tap]=$(echo "$(tap_tests own) $(tap_tests other)" | wc -w)
	for suite in "${suites[@]}"; do
		case $suite in
		tap) break ;;
		compilers | indent | symbols | scripts | model | unit | regress | isolation) ;;
		*) return 0 ;;
		esac
	done
	[ "$suite" = tap ] && [ "${suites[0]}" != tap ] || return 0
	run_beside tap check_tap
	tap_command=(follow tap)
}

# Runs in full length, in a copy whose library temporarily replaces the other one. There is
# no bitcode, because it would lack the assertions.
check_faults() {
	local status=0
	as_server rm -rf "$work/root$("$pg_config" --pkglibdir)"/bitcode/spqtree*
	as_server mkdir "$work/faults"
	copy_sources "$work/faults"
	build -C "$work/faults" WERROR=1 ASSERT=1 with_llvm=no install DESTDIR="$work/root" &&
		(full_length && build -C "$work/faults" check-tap BINDIR="$pg_bin" PROVE_FLAGS=--verbose PROVE_TESTS="$fault_tests") || status=1
	build install DESTDIR="$work/root" || status=1
	return "$status"
}

# clang only shows its warnings, which are the same without optimization, in half the time.
clang_warns='COPT=-O0 -g0'

# The companion for PostGIS: compiler warnings, exported names, its own tests.
check_postgis() {
	local compiler name flags=("$clang_warns") compilers=(clang gcc) status=0
	# of several versions, clang on one
	[ -z "$share" ] || chosen compilers || [ "${#suites[@]}" = 1 ] || { compilers=(gcc) && flags=(); }
	for compiler in "${compilers[@]}"; do
		build -C "$work/src/postgis" clean
		if ! build -C "$work/src/postgis" WERROR=1 CC="${CCACHE_DIR:+ccache }$compiler${CCACHE_DIR:+ -MD}" ${flags[@]+"${flags[@]}"}; then
			printf 'not ok - %s has warnings\n' "$compiler"
			return 1
		fi
		flags=()
	done
	while read -r _ _ name; do
		case $name in
		spq_gis_* | pg_finfo_spq_gis_* | Pg_magic_func) ;;
		*) printf 'not ok - %s is exported, and does not begin with spq_gis_\n' "$name" && status=1 ;;
		esac
	done < <(nm -D --defined-only "$work/src/postgis/spqtree_postgis.so")
	build -C "$work/src/postgis/test/unit" check || status=1
	build -C "$work/src/postgis" install DESTDIR="$work/root" &&
		build -C "$work/src/postgis" installcheck || status=1
	return "$status"
}

# The tests that other tests depend on.
first_tests='opclass compare'

# gcc has built the library, and the clang of the server's LLVM its bitcode for JIT compilation, both
# with warnings as errors. For a server without LLVM, clang compiles a copy, because the following
# suites use what is built.
check_compilers() {
	local bitcode
	printf 'ok - %s\n' "$(gcc --version | head -n 1)"
	bitcode=$(find "$work/src/src" -name '*.bc' | wc -l)
	if [ "$bitcode" != 0 ]; then
		printf 'ok - clang: bitcode of %s files\n' "$bitcode"
		return
	fi
	as_server mkdir "$work/compilers"
	copy_sources "$work/compilers"
	if build -C "$work/compilers" WERROR=1 CC="${CCACHE_DIR:+ccache }clang${CCACHE_DIR:+ -MD}" "$clang_warns" with_llvm=no; then
		printf 'ok - %s\n' "$(clang --version | head -n 1)"
	else
		echo 'not ok - clang has warnings'
		return 1
	fi
}

# rooms_of README: prints the folders that the tables of a README link to, in their order
rooms_of() { sed -n '/^|/p' "$top/$1" | grep -o '](\w*/README\.md)' | sed 's/](\(.*\)\/.*/\1/'; }

# Checks that the folders of the library are those that the tables of its READMEs link to:
# src/README.md has those of src, and the README of a folder with rooms its rooms. No folder
# may include a header of one after it in its table.
check_folders() {
	local folder room later status=0 number=0
	while read -r folder; do
		number=$((number + 1))
		if [ ! -f "$top/$folder/README.md" ]; then
			printf 'not ok - %s has no README.md\n' "$folder"
			status=1
			continue
		fi
		while read -r side room; do
			case $side in
			'<') printf 'not ok - %s/README.md lists %s, which is no folder with sources\n' "$folder" "$room" ;;
			'>') printf 'not ok - %s/README.md does not list %s\n' "$folder" "$room" ;;
			*) continue ;;
			esac
			status=1
		done < <(diff <(rooms_of "$folder/README.md" | sort) \
			<(cd "$top/$folder" && find . -mindepth 2 -name '*.[ch]' | cut -d/ -f2 | sort -u))
		later=
		while read -r room; do
			if [ -n "$later" ] && grep -rE "^#include \"($later)" "$top/$folder/$room" --include='*.[ch]'; then
				printf 'not ok - %s/README.md lists %s before what it includes\n' "$folder" "$room"
				status=1
			fi
			room=${folder#src}/$room/
			later=${later:+$later|}${room#/}
		done < <(rooms_of "$folder/README.md" | tac)
	done < <(cd "$top" && find src -name '*.[ch]' | awk '{ while (sub("/[^/]*$", "")) print }' | sort -u)
	[ "$status" != 0 ] || printf 'ok - %d folders\n' "$number"
	return "$status"
}

# Checks that what is known of a type stands in one file (src/types): at most three others name it,
# besides those that are the type itself (src/solid, src/shapes): the classes and kernels that work
# on the access method's pages, and a node, a watch or a class that stores or makes such values.
check_types() {
	local file type pattern files status=0 number=0
	for file in "$top"/src/types/*/*_type.c; do
		type=${file##*/}
		type=${type%_type.c}
		case $type in box | point | box3 | point3) continue ;; esac
		number=$((number + 1))
		# the names of PostgreSQL's types are common words
		case $type in *3) pattern=$type ;; *) pattern="spq_type_$type\\b|\\b${type^^}OID\\b" ;; esac
		files=$(cd "$top" && grep -rlE "$pattern" src --include='*.[ch]' | grep -vE '^src/(types|solid|shapes)/')
		if [ "$(wc -w <<<"$files")" -gt 3 ]; then
			printf 'not ok - %s is named in more than three files: %s\n' "$type" "$(tr '\n' ' ' <<<"$files")"
			status=1
		fi
	done
	[ "$number" -ge 8 ] || { echo 'not ok - src/types has fewer types than expected' && status=1; }
	[ "$status" != 0 ] || printf 'ok - %d types\n' "$number"
	return "$status"
}

# Checks that every name that the library exports begins with spq_, except those that
# PostgreSQL looks up; that every function in test/coverage.md exists; that the guard of each
# header names its folder and file; that the map of folders is complete; that test/README.md
# has each test; that one file sets all hooks; the list
# of functions that follow PostgreSQL's; spelling and phrases.
check_symbols() {
	local name number=0 status=0 file=
	while read -r _ _ name; do
		number=$((number + 1))
		case $name in
		spq_* | pg_finfo_spq_* | Pg_magic_func | _PG_init) ;;
		*) printf 'not ok - %s is exported, and does not begin with spq_\n' "$name" && status=1 ;;
		esac
	done < <(nm -D --defined-only "$work/src/spqtree.so")
	if [ "$number" = 0 ]; then
		echo 'not ok - no exported name was found, which cannot be'
		status=1
	fi
	while read -r kind name; do
		case $kind in
		'###') file=$name ;;
		-)
			grep -qs "^$name(" "$top/$file" ||
				{ printf 'not ok - test/coverage.md names %s, which is not in %s\n' "$name" "$file" && status=1; }
			;;
		esac
	done < <(sed -n 's/^\(###\) \(.*\)/\1 \2/p; s/^- `\([^`]*\)`.*/- \1/p' "$top/test/coverage.md")
	while read -r file; do
		name=${file#src/}
		name=SPQ_$(tr 'a-z/' 'A-Z_' <<<"${name%.h}")_H
		grep -qsx "#ifndef $name" "$top/$file" ||
			{ printf 'not ok - the guard of %s is not %s\n' "$file" "$name" && status=1; }
	done < <(cd "$top" && find src -name '*.h')
	while read -r file; do
		name=${file##*/}
		grep -q "[\`/]${name%.*}\`" "$top/test/README.md" ||
			{ printf 'not ok - test/README.md does not say what %s proves\n' "$file" && status=1; }
	done < <(cd "$top" && ls test/sql/*.sql test/t/*.pl)
	if grep -rnE --include='*.[ch]' --exclude=hooks.c '_hook = |RegisterCustomScanMethods\(' "$top/src" "$top/postgis/src"; then
		echo 'not ok - a hook is set, or a node is registered, outside of src/hooks.c: see above'
		status=1
	fi
	while read -r file name _ theirs _; do
		grep -qE "\b$name\(" "$top/$file" && grep -q "$theirs()" "$top/$file" ||
			{ printf 'not ok - copies.list: %s has no %s() that names %s()\n' "$file" "$name" "$theirs" && status=1; }
	done < <(grep '^src/' "$top/scripts/lib/copies.list")
	check_spelling || status=1
	check_phrases || status=1
	[ "$status" != 0 ] || printf 'ok - %d exported names\n' "$number"
	check_folders || status=1
	check_types || status=1
	return "$status"
}

# Correct words that codespell does not know.
right_words=nd,inh,upto,enabel

check_spelling() (
	have codespell || { echo '# codespell is not installed: spelling is not checked' && return; }
	cd "$top" || return
	if ! codespell --ignore-words-list "$right_words" --skip '*.svg,*.gz,*.out,*.csv,*.json,*.o,*.so,*.bc' \
		./*.md META.json Makefile docs src sql postgis scripts bench test/README.md test/coverage.md data/README.md; then
		echo 'not ok - spelling: see above; right_words in scripts/lib/suites.sh has words that are right'
		return 1
	fi
)

# Phrases that make readers stop, and what is written instead. A few patterns of perl that
# no good sentence has.
phrases=(
	'\b(have|has|having) done with\b' 'finish'
	'\b[Oo]f (all|any|each|him|one|those) who\b' '"users who", with the noun first'
	'\b[Ll]et (a|an|it|its|that|the|these|this|those) (\w+ ){0,2}be\b' 'a verb: make, set, allow'
	'(?i)\bwho(?=ever\b)' 'a user who, a session that'
	'\b(as|by|of|than) what\b' 'the noun that is meant'
	'\b(is|are) none of\b' 'is not a'
	'\bto be had\b' 'available'
	'\bin vain\b' 'without a match'
	'\b(anew|meanwhile)\b' 'again; at the same time'
	'\b(does|do) not pay\b' 'is not worthwhile'
	'\b(behaviour|centre|colour|neighbour)' 'American spelling, as in PostgreSQL'
)

check_phrases() (
	local i status=0
	cd "$top" || return
	for ((i = 0; i < ${#phrases[@]}; i += 2)); do
		if grep -rnP --include='*.md' --exclude-dir=notes --exclude-dir=results -- "${phrases[i]}" \
			./*.md docs src postgis sql test bench; then
			printf 'not ok - a phrase to avoid, above; better: %s\n' "${phrases[i + 1]}"
			status=1
		fi
	done
	return "$status"
)

# Builds and installs as a reader does, replacing the earlier build, with the same options, so that
# ccache has what is compiled: make takes them from MAKEFLAGS, with words quoted by backslashes.
check_documents() {
	local option flags="-j$(nproc) WERROR=1 "
	# for blocks that need the companion
	companion_install || return
	for option in ${build_options[@]+"${build_options[@]}"}; do flags+="${option// /\\ } "; done
	as_server env PG_CONFIG="$pg_config" DESTDIR="$work/root" MAKEFLAGS="$flags" \
		perl "$work/src/test/readme/run.pl" "$work/readme"
}

# --- random: the tests with random input, with more seeds

# random_run WHAT NOTE REPEAT TEST...: runs tests with one seed
random_run() {
	local what=$1 note=$2 repeat=$3 name=$1:\ $2
	shift 3
	if step "$what" "$note" build installcheck REGRESS="$first_tests $*" ISOLATION=; then
		passed=$((passed + 1))
	else
		failure random "$name"
		mkdir -p "$work/failed"
		cp "$work/src/regression.diffs" "$work/failed/${name//[^a-z0-9]/-}" 2>/dev/null || true
		! [ -s "$work/src/regression.diffs" ] || excerpt regression.diffs 300 <"$work/src/regression.diffs"
		[ -z "$repeat" ] || printf '%sto repeat: scripts/test random %s%s\n' "$bold" "$repeat" "$plain"
		! [ "$keep_work" = 1 ] || as_server cp -r "$work/src/results" "$work/results-${what// /-}"
	fi
	step_at=$((step_at + 1))
}

# Without an option that names a part, all three run.
suite_random() {
	local step_at=0 step_of tests_by_seed=${tests:-cluster join_random join_solid node_arms node_counts node_lines node_random node_solid_random open_ends repeated_node seg$(! has_extension ip4r || echo " ip4r")} last=$((first_seed + tables)) run=500
	local SPQTREE_SEED SPQTREE_TABLES SPQTREE_CALLS=$calls SPQTREE_JOINS=$joins
	export SPQTREE_SEED SPQTREE_TABLES SPQTREE_CALLS SPQTREE_JOINS
	step_of=$((seeds + (tables + run - 1) / run + (calls > 0)))
	for ((SPQTREE_SEED = first_seed; SPQTREE_SEED < first_seed + seeds; SPQTREE_SEED++)); do
		random_run "seed $SPQTREE_SEED" "$tests_by_seed" \
			"--seed $SPQTREE_SEED --seeds 1 --joins $joins --tests '$tests_by_seed'" "$tests_by_seed"
	done
	# each table has its own seed; the output names those that differ
	for ((SPQTREE_SEED = first_seed; SPQTREE_SEED < last; SPQTREE_SEED += run)); do
		SPQTREE_TABLES=$((last - SPQTREE_SEED < run ? last - SPQTREE_SEED : run))
		random_run tables "seeds $SPQTREE_SEED to $((SPQTREE_SEED + SPQTREE_TABLES - 1))" \
			"--seed $SPQTREE_SEED --tables $SPQTREE_TABLES" random rtree_random
	done
	SPQTREE_SEED=$first_seed
	[ "$calls" = 0 ] ||
		random_run calls "$calls with seed $first_seed" "--seed $first_seed --calls $calls" hostile_input
}

# --- postgres: PostgreSQL's own regression tests, without spqtree and with it

# Tests of joins and shapes, and the tests that they need.
postgres_tests='join geometry box point polygon circle select_parallel partition_join
	join_hash subselect rowsecurity select_views merge memoize partition_prune'
postgres_needs='test_setup lseg line path copy create_function_0 create_function_1 create_function_c create_misc
	create_operator create_procedure create_table create_type create_index create_view create_aggregate
	create_function_sql sanity_check'

# The output directories must belong to the server's owner.
postgres_copy() {
	as_server mkdir "$work/regress" &&
		tar -C "$source_dir/src/test/regress" -cf - --exclude='*.o' --exclude='*.so' --exclude=./results . |
		as_server tar -C "$work/regress" -xf - --no-same-owner
}

# The C functions that the tests call.
postgres_library() {
	local makefile=$work/regress/Makefile.spqtree
	# shellcheck disable=SC2016  # for make
	printf '%s\n' 'MODULES = regress' "PG_CONFIG = $pg_config" 'with_llvm = no' \
		"PGXS := $("$pg_config" --pgxs)" 'include $(PGXS)' | as_server tee "$makefile" >/dev/null
	as_server make -s -C "$work/regress" -f "$makefile" regress.so
}

# Prints the chosen tests and those that they need, in PostgreSQL's order, or its whole
# schedule.
postgres_schedule() {
	local chosen=" $(tr -s '\t\n' '  ' <<<"${tests:-$postgres_tests} $postgres_needs") " name
	if [ "$tests" = all ]; then
		cat "$work/regress/parallel_schedule"
		return
	fi
	sed -n 's/^test: *//p' "$work/regress/parallel_schedule" | tr ' ' '\n' |
		while IFS= read -r name; do
			case $chosen in *" $name "*) echo "test: $name" ;; esac
		done
}

# postgres_run NAME: runs the tests; the output is in $work/NAME/results
postgres_run() {
	local run=$work/$1 expected=() status=0 pg_regress
	pg_regress=$(dirname "$("$pg_config" --pgxs)")/../test/regress/pg_regress
	as_server mkdir -p "$run"
	! "$pg_regress" --help | grep -q -- --expecteddir || expected=(--expecteddir="$work/regress")
	as_server env PGUSER="$PGUSER" "$pg_regress" --inputdir="$work/regress" "${expected[@]}" --outputdir="$run" \
		--bindir="$pg_bin" --dlpath="$work/regress" --host="$PGHOST" --port=5432 --user="$PGUSER" \
		--max-connections=8 --schedule="$work/schedule" || status=$?
	# 1: some tests differ, which is judged later
	[ "$status" -le 1 ] && [ -d "$run/results" ]
}

# Roles survive a run, so drop them.
postgres_clean() {
	as_server psql -X -q -d postgres -c 'DROP DATABASE regression' &&
		as_server psql -X -A -t -q -d postgres -c "SELECT format('DROP ROLE %I;', rolname) FROM pg_roles WHERE rolname LIKE 'regress%'" |
		as_server psql -X -q -d postgres
}

postgres_preload() {
	echo "session_preload_libraries = 'spqtree'" | as_server tee -a "$work/data/postgresql.conf" >/dev/null
	as_server pg_ctl restart -w -t 60 -D "$work/data" -l "$work/server.log"
}

suite_postgres() {
	local step_count step_of output test note
	step tests "copied from $source_dir" postgres_copy || die 'cannot copy the tests'
	step library 'regress.so, which they call' postgres_library || die 'cannot build regress.so'
	postgres_schedule | as_server tee "$work/schedule" >/dev/null
	# as printed by pg_regress up to PostgreSQL 15, and since 16
	step_count='^(test|    ) +[^ ]+ +\.\.\. |^(ok|not ok) '
	step_of=$(sed -n 's/^test: *//p' "$work/schedule" | wc -w)
	step without 'the tests, without spqtree' postgres_run without || die 'the tests did not run'
	postgres_clean >/dev/null 2>&1 || die 'cannot clean up between the runs'
	step_count='' step_of=0 step preload "session_preload_libraries = 'spqtree'" postgres_preload ||
		die 'the server does not start with spqtree'
	[ "$(as_server psql -X -A -t -d postgres -c 'SHOW spqtree.enable_hashjoin')" = on ] || die 'spqtree is not loaded'
	step with 'the tests, with spqtree' postgres_run with || die 'the tests did not run'
	for output in "$work"/without/results/*.out; do
		test=$(basename "$output" .out)
		note=
		# a test may have several expected outputs; pg_regress reports whether one matched
		! grep -qE "/$test\.out( |	|$)" "$work/without/regression.diffs" 2>/dev/null ||
			note="differs from PostgreSQL's expected output, with and without spqtree"
		# another plan may return rows without ORDER BY in another order
		if cmp -s <(sort "$output") <(sort "$work/with/results/$test.out"); then
			cmp -s "$output" "$work/with/results/$test.out" || note="rows without ORDER BY come in another order"
			result ok postgres "$test" "$note"
		else
			result FAILED postgres "$test" "$note"
			# the status of diff would end the script
			{ diff -U3 --label "$test, without spqtree" --label "$test, with spqtree" "$output" "$work/with/results/$test.out" || true; } |
				excerpt difference 120
		fi
	done
}
