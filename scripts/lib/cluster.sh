# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Servers of the private copy of PostgreSQL: "one" with whole tables, "worker1" and
# "worker2" with one core each, and "coordinator". The queries run on "one" and on the
# coordinator.
#
#	scripts/cluster  -->  fdw.sh or citus.sh  -->  this
#
# Each layout defines LAYOUT_begin, start_servers, load_all, partitioning_of, node_in_tasks,
# asks_for_parts, LAYOUT_more, and
#
#	tables   suffixes of the tables in a query of the coordinator: one for each worker, or
#	         none, if a table of the coordinator covers all workers
#
# Uses common.sh, postgres.sh, results.sh.
# Reads: rows, parts, runs, geometries   options of scripts/cluster

declare -A port=([one]=5432 [worker1]=5433 [worker2]=5434 [coordinator]=5435)
times=()
tables=('')

# on SERVER [PSQL ARGUMENT...]: runs psql, unaligned and without headings
on() {
	local server=$1
	shift
	psql -X -q -A -t -p "${port[$server]}" -v ON_ERROR_STOP=1 -d postgres "$@"
}

# start_node NAME CORE SETTING...: starts a server on this core, or on all if CORE is empty
start_node() {
	local name=$1 data=$work/$1 pinned=()
	[ -z "$2" ] || pinned=(taskset -c "$2")
	shift 2
	as_server initdb -D "$data" -U "$PGUSER" -A trust --no-locale -E UTF8 --no-sync &&
		printf '%s\n' "listen_addresses = ''" "port = ${port[$name]}" "unix_socket_directories = '$PGHOST'" \
			'fsync = off' 'autovacuum = off' 'jit = off' 'shared_buffers = 1GB' 'work_mem = 256MB' 'max_wal_size = 8GB' \
			'max_parallel_workers_per_gather = 0' "$@" |
		as_server tee -a "$data/postgresql.conf" >/dev/null &&
		as_server ${pinned[@]+"${pinned[@]}"} "$pg_bin/pg_ctl" start -w -t 60 -D "$data" -l "$work/$name.log" ||
		{ tail -n 20 "$work/$name.log" && return 1; }
}

# start_all SETTING...: starts all servers; the settings are for all except "one"
start_all() {
	local plain="shared_preload_libraries = 'spqtree'"
	start_node one 0 "$plain" && start_node worker1 0 "$@" &&
		start_node worker2 $(($(nproc) > 1)) "$@" && start_node coordinator '' "$@"
}

# extensions SERVER...: creates spqtree, and for geometries PostGIS and the companion
extensions() {
	local server
	for server in "$@"; do
		on "$server" -c 'CREATE EXTENSION spqtree' || return
		[ -z "$geometries" ] || on "$server" -c 'CREATE EXTENSION postgis' -c 'CREATE EXTENSION spqtree_postgis' || return
	done
}

# Makes the whole tables on "one". Some rows are null, NaN or infinite.
make_tables() {
	local table kind file
	on one -v rows="$rows" -f "$top/scripts/lib/cluster.sql" || return
	for table in roads buildings; do
		gzip -dc "$top/data/osm_$table.csv.gz" | on one -c "COPY $table FROM STDIN (FORMAT csv, HEADER)" || return
	done
	on one -c 'CREATE TABLE map_a AS SELECT row_number() OVER () AS id, box(point(x0, y0), point(x1, y1)) AS b FROM roads' \
		-c 'CREATE TABLE map_b AS SELECT row_number() OVER () AS id, box(point(x0, y0), point(x1, y1)) AS b FROM buildings' || return
	if [ -n "$geometries" ]; then
		for kind in a:line b:polygon; do
			table=geometries_${kind%:*}
			file=$(find "$geometries" -name "osm_geometry_${kind#*:}.csv*")
			on one -c 'CREATE TABLE raw (id bigint, wkb text)' &&
				case $file in *.xz) xzcat "$file" ;; *.gz) gzip -dc "$file" ;; *) cat "$file" ;; esac |
				on one -c 'COPY raw FROM STDIN (FORMAT csv, HEADER)' &&
				on one -c "CREATE TABLE $table AS SELECT row_number() OVER () AS id, ST_SetSRID(wkb::geometry, 3857) AS b FROM raw" -c 'DROP TABLE raw' || return
		done
		on one -c "INSERT INTO geometries_a VALUES (0, NULL), (-1, 'SRID=3857;LINESTRING EMPTY')" || return
	fi
	on one -c 'VACUUM ANALYZE'
}

# new_partitioning SET: prints a new partitioning
new_partitioning() {
	on one -c "SELECT spqtree_partition('SELECT b FROM ${1}_a UNION ALL SELECT b FROM ${1}_b', $parts)"
}

# definition_of SET: prints the columns of a distributed table
definition_of() {
	if [ "$1" = geometries ]; then
		echo 'id bigint, b geometry, part int'
	else
		echo 'id bigint, b box, part int'
	fi
}

# rows_of TABLE PARTITIONING [CONDITION]: prints the copies of a table's rows as binary COPY data
rows_of() {
	on one -c "COPY (SELECT id, b, part FROM $1, unnest(spqtree_parts(b, '$2')) part WHERE ${3:-true}) TO STDOUT (FORMAT binary)"
}

# wait_all PROCESS...: waits for all; fails if one failed
wait_all() {
	local process status=0
	for process in "$@"; do wait "$process" || status=1; done
	return "$status"
}

# arms QUERY: the query for the tables of each worker; @ stands for the suffix of their names
arms() {
	local suffix query=
	for suffix in "${tables[@]}"; do query+="${query:+ UNION ALL }${1//@/$suffix}"; done
	printf '%s' "$query"
}

# total AGGREGATE COMBINE FROM: combines the aggregates of all arms
total() {
	if [ "${#tables[@]}" = 1 ]; then
		printf 'SELECT %s %s' "$1" "${3//@/}"
	else
		printf 'SELECT %s(n) FROM (%s) s' "$2" "$(arms "SELECT $1 AS n $3")"
	fi
}

# check NAME CONDITION...: reports whether a command succeeds
check() {
	local name=$1
	shift
	if "$@"; then result ok cluster "$name"; else result FAILED cluster "$name"; fi
}

# same NAME QUERY QUERY: reports whether both return the same rows, and at least one; the
# first runs on "one"
same() {
	local count
	on one -c "COPY ($2) TO STDOUT" | sort >"$work/one.rows"
	on coordinator -c "COPY ($3) TO STDOUT" | sort >"$work/two.rows" || true
	count=$(wc -l <"$work/one.rows")
	if [ "$count" -gt 0 ] && cmp -s "$work/one.rows" "$work/two.rows"; then
		result ok cluster "$1" "$count rows"
	else
		diff "$work/one.rows" "$work/two.rows" >"$work/differ.rows" || true
		result FAILED cluster "$1" "$count rows, $(grep -c '^[<>]' "$work/differ.rows" || true) differ"
		head -n 5 "$work/differ.rows"
	fi
}

# plan_has SERVER NUMBER PATTERN QUERY [SETTING]: this number of lines of the plan match
plan_has() {
	local found
	found=$(on "$1" ${5:+-c "$5"} -c "EXPLAIN (COSTS OFF, VERBOSE) $4" | grep -cE "$3" || true)
	[ "$found" = "$2" ] || { printf '%s lines match "%s", not %s\n' "$found" "$3" "$2"; return 1; }
}

# time_of SERVER QUERY: milliseconds of the second execution of a prepared query
time_of() {
	on "$1" -c 'SET plan_cache_mode = force_generic_plan' -c "PREPARE q AS $2" -c 'EXECUTE q' -c '\timing on' -c 'EXECUTE q' |
		sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p'
}

# median_and_least: prints both, of the numbers read
median_and_least() {
	sort -n | sed -n "1h;$(((runs + 1) / 2)){G;s/\n/ /;p;q}"
}

# compare_times NAME QUERY QUERY: measures both in turns
compare_times() {
	local i one two
	time_of one "$2" >/dev/null
	time_of coordinator "$3" >/dev/null
	for ((i = 0; i < runs; i++)); do
		time_of one "$2" >>"$work/one.times"
		time_of coordinator "$3" >>"$work/two.times"
	done
	one=$(median_and_least <"$work/one.times") two=$(median_and_least <"$work/two.times")
	rm "$work/one.times" "$work/two.times"
	# shellcheck disable=SC2086  # two numbers each
	times+=("$(printf '%-34s %9.1f ms %9.1f ms %9.1f ms %9.1f ms' "$1" $one $two) $(awk '{ printf "%6.2f %6.2f", $1 / $3, $2 / $4 }' <<<"$one $two")")
}
