# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The suite gis: PostGIS' own regression tests, without spqtree and with it. On each server,
# a test runs once for each group of settings below:
#
#     without   PostGIS alone
#     with      shared_preload_libraries = 'spqtree', the companion's functions, and
#               indexes of geometries by the access method spqtree (test/gis/indexes.sql)
#
# The two outputs of a test are compared with each other. PostGIS' expected output only
# tells which tests fail on this machine without spqtree.
#
# Uses common.sh, postgres.sh, results.sh, suites.sh.

# Settings that make the planner use the join node and the index on small tables, as in nearly
# all tests. Both servers have the same settings.
declare -A gis_settings=(
	[default]=''
	[joins]='enable_nestloop=off enable_hashjoin=off enable_mergejoin=off spqtree.enable_hashjoin=always'
	[scans]='enable_seqscan=off enable_bitmapscan=off enable_sort=off spqtree.enable_hashjoin=off'
	[bitmaps]='enable_seqscan=off enable_indexscan=off spqtree.enable_hashjoin=off'
	[parallel]='enable_nestloop=off parallel_setup_cost=0 parallel_tuple_cost=0
		min_parallel_table_scan_size=0 min_parallel_index_scan_size=0'
)
gis_modes=(default joins scans bitmaps parallel)

# The names of the tests in PostGIS' order. Excluded are tests that PostGIS runs only on
# demand, which cancel queries and so depend on the speed of the machine, and
# concave_hull_hard, which takes minutes and has neither joins nor indexes.
gis_list() {
	local name
	grep -o 'regress/core/[a-z0-9_-]*' "$source_dir/regress/core/tests.mk.in" | sed 's,.*/,,' | grep -vE '^interrupt|^concave_hull_hard$' |
		while IFS= read -r name; do
			[ -f "$source_dir/regress/core/$name.sql" ] || continue
			case " ${tests:-all} " in *" all "* | *" $name "*) echo "$name" ;; esac
		done
}

# psql reads the tests, and the server writes beside them.
gis_copy() {
	as_server mkdir "$work/gis" "$work/gis/tmp" &&
		tar -C "$source_dir" -cf - regress/core regress/hooks | as_server tar -C "$work/gis" -xf - --no-same-owner
}

gis_companion() {
	build -C "$work/src/postgis" clean &&
		build -C "$work/src/postgis" WERROR=1 install DESTDIR="$work/root"
}

gis_psql() {
	as_server env PGUSER="$PGUSER" PGOPTIONS="${PGOPTIONS:-}" psql -X -v ON_ERROR_STOP=1 -q "$@"
}

# gis_start with|without
gis_start() {
	local libraries=auto_explain
	[ "$1" = without ] || libraries=spqtree,auto_explain
	# the costs of disabled plans would have every query compiled
	printf '%s\n' 'jit = off' "shared_preload_libraries = '$libraries'" "log_line_prefix = '%a|'" 'auto_explain.log_min_duration = 0' \
		'auto_explain.log_nested_statements = on' | as_server tee "$work/data/gis.conf" >/dev/null &&
		{ grep -qs gis.conf "$work/data/postgresql.conf" ||
			echo "include 'gis.conf'" | as_server tee -a "$work/data/postgresql.conf" >/dev/null; } &&
		as_server pg_ctl restart -w -t 60 -D "$work/data" -l "$work/gis/$1.log"
}

# gis_create with|without: creates the database, as run_test.pl does. From PostGIS 3.7 on, a
# file runs before the extension is created.
gis_create() {
	local extensions=postgis first=$work/gis/regress/hooks/hook-after-create-db.sql
	[ "$1" = without ] || extensions='postgis spqtree spqtree_postgis'
	gis_psql -d postgres -c 'DROP DATABASE IF EXISTS postgis_reg' \
		-c "CREATE DATABASE postgis_reg ENCODING 'UTF8' TEMPLATE template0 LC_COLLATE 'C'" &&
		{ [ ! -f "$first" ] || gis_psql -d postgis_reg -f "$first"; } &&
		for extension in $extensions; do
			gis_psql -d postgis_reg -c "CREATE EXTENSION $extension" || return
		done &&
		gis_psql -d postgis_reg -f "$work/gis/regress/hooks/hook-after-create.sql" -f "$work/src/test/gis/indexes.sql"
}

# gis_run with|without MODE: runs the tests in PostGIS' order, because some leave objects
# for later ones. The output is edited as by run_test.pl.
gis_run() {
	local run=$1 mode=$2 test setting status out options scripts
	out=$work/gis/$run/$mode
	scripts=$("$pg_config" --sharedir)/contrib/postgis-$(sed -n 's/^POSTGIS_M[AI][JN]OR_VERSION=//p' "$source_dir/Version.config" | paste -sd .)
	options='-c lc_messages=C -c client_min_messages=NOTICE -c extra_float_digits=0 -c statement_timeout=120s'
	for setting in ${gis_settings[$mode]}; do options+=" -c $setting"; done
	as_server mkdir -p "$out"
	gis_create "$run" || return
	while IFS= read -r test; do
		echo "test $test"
		status=0
		as_server env -C "$work/gis/regress/core" PGUSER="$PGUSER" PGAPPNAME="$run/$mode/$test" PGOPTIONS="$options" \
			timeout 600 psql -v VERBOSITY=terse -v "tmpfile='$work/gis/tmp/$test'" -v "scriptdir=$scripts" \
			-v "regdir=$work/gis/regress" -v "top_builddir=$work/gis" -v 'schema=public.' \
			-c 'SET search_path TO public,topology' -tXAq -f "$test.sql" postgis_reg >"$work/gis/output" 2>&1 </dev/null ||
			status=$?
		[ "$status" = 0 ] || echo "psql ended with status $status" >>"$work/gis/output"
		sed -E -e '/^[[:space:]]*$/d' -e 's/Infinity/inf/g; s/Inf/inf/g; s/1\.#INF/inf/g' -e 's/[eE]([+-])0+([0-9]+)/e\1\2/g' \
			-e 's/Self-intersection .*/Self-intersection/; s/^ROLLBACK/COMMIT/' -e 's/^psql.*(NOTICE|WARNING|ERROR):/\1:/' \
			"$work/gis/output" | as_server tee "$out/$test.out" >/dev/null
		# after a crash, wait until the server has recovered
		[ "$status" = 0 ] || as_server pg_ctl status -D "$work/data" >/dev/null && gis_wait
	done < <(gis_list)
}

gis_wait() {
	local deadline=$((SECONDS + 60))
	until as_server pg_isready -q || [ "$SECONDS" -gt "$deadline" ]; do sleep 0.5; done
}

# gis_expected TEST: true if the output without spqtree is what PostGIS expects
gis_expected() {
	cmp -s "$work/gis/without/default/$1.out" <(sed -e 's/\r$//' -e '/^[[:space:]]*$/d' "$work/gis/regress/core/$1_expected")
}

# gis_changes TEST MODE: prints the lines that differ
gis_changes() {
	gis_difference "$1" "$2" | sed 1,2d | grep '^[-+]'
}

# gis_allowed TEST MODE: true if the outputs differ only in lines that test/gis/allowed has
# for this test, or for it with these settings
gis_allowed() {
	local file
	for file in "$top/test/gis/allowed/$1" "$top/test/gis/allowed/$1.$2"; do
		[ -f "$file" ] && cmp -s <(gis_changes "$1" "$2") <(grep '^[-+]' "$file") && return
	done
	return 1
}

# gis_judge TEST: reports one result for all groups of settings
gis_judge() {
	local test=$1 mode ours theirs note='' verdict=ok other=() different=() allowed=()
	for mode in "${gis_modes[@]}"; do
		theirs=$work/gis/without/$mode/$test.out ours=$work/gis/with/$mode/$test.out
		if gis_allowed "$test" "$mode"; then
			allowed+=("$mode")
		elif ! cmp -s <(sort "$theirs") <(sort "$ours"); then
			different+=("$mode")
		elif ! cmp -s "$theirs" "$ours"; then
			other+=("$mode")
		fi
	done
	gis_expected "$test" || note="differs from PostGIS' expected output, with and without spqtree"
	[ "${#other[@]}" = 0 ] || note+="${note:+; }rows come in another order: ${other[*]}"
	[ "${#allowed[@]}" = 0 ] || note+="${note:+; }differs as test/gis/allowed says: ${allowed[*]}"
	[ "${#different[@]}" = 0 ] || verdict=FAILED note="settings: ${different[*]}${note:+; }$note"
	result "$verdict" gis "$test" "$note"
	gis_differences "$test" ${different[@]+"${different[@]}"}
}

# gis_differences TEST MODE...: prints the differences that are not equal to an earlier one
gis_differences() {
	local test=$1 mode changes
	local -A shown=()
	shift
	for mode; do
		changes=$(gis_changes "$test" "$mode") || true
		[ -z "${shown[x$changes]:-}" ] || continue
		shown[x$changes]=1
		gis_difference "$test" "$mode" | excerpt "$test, $mode" 60
	done
}

# gis_difference TEST MODE
gis_difference() {
	diff -U1 --label "$1, $2, without spqtree" --label "$1, $2, with spqtree" \
		"$work/gis/without/$2/$1.out" "$work/gis/with/$2/$1.out" || true
}

# The tests prove nothing unless plans use our node and our index.
gis_judge_plans() {
	local mode run name indexes scans joins tests_with total_scans=0 total_joins=0
	for run in without with; do "$work/src/test/gis/plans" "$work/gis/$run.log"; done | sort >"$work/gis/plans"
	printf '\n  %-10s %-9s %8s %8s %8s %s\n' '' settings indexes scans joins 'tests with one of them'
	while read -r run mode indexes scans joins tests_with; do
		printf '  %-10s %-9s %8d %8d %8d %d\n' "$run" "$mode" "$indexes" "$scans" "$joins" "$tests_with"
		if [ "$run" = with ]; then
			total_scans=$((total_scans + scans)) total_joins=$((total_joins + joins))
		fi
	done < <(awk -F '[/\t]' 'NF == 6 {
			k = $1 " " $2; i[k] += $4; s[k] += $5; j[k] += $6; t[k] += ($5 + $6 > 0)
		} END { for (k in i) print k, i[k], s[k], j[k], t[k] }' "$work/gis/plans" | sort)
	printf '\n'
	[ -z "$tests" ] || [ "$tests" = all ] || return 0
	if [ "$total_scans" -gt 0 ] && [ "$total_joins" -gt 0 ]; then
		result ok gis 'plans have our node and index' "$total_joins and $total_scans times"
	else
		result FAILED gis 'plans have our node and index' "$total_joins and $total_scans times"
	fi
}

suite_gis() {
	local step_count step_of run mode test
	step tests "copied from $source_dir" gis_copy || die 'cannot copy the tests'
	step companion 'spqtree_postgis, installed beside spqtree' gis_companion || die 'cannot build the companion'
	for run in without with; do
		step_count='' step_of=0 step server "$run spqtree" gis_start "$run" || die "the server does not start $run spqtree"
		step_count='^test ' step_of=$(gis_list | wc -l)
		for mode in "${gis_modes[@]}"; do
			step "$run" "the tests, settings: $mode" gis_run "$run" "$mode" || die 'the tests did not run'
		done
	done
	while IFS= read -r test; do gis_judge "$test"; done < <(gis_list)
	gis_judge_plans
}
