# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The layout of two workers behind postgres_fdw: one has the parts with odd numbers, the
# other those with even ones. A table of the coordinator has a foreign table of each worker
# as a partition.
#
# Uses cluster.sh.

fdw_begin() {
	parts=${parts:-32}
	tables=(_1 _2)
}

start_servers() {
	local i
	start_all "shared_preload_libraries = 'spqtree'" &&
		extensions one worker1 worker2 coordinator &&
		on coordinator -c 'CREATE EXTENSION postgres_fdw' \
			-c 'ALTER DATABASE postgres SET spqtree.enable_hashjoin = off' || return
	for i in 1 2; do
		on coordinator -c "CREATE SERVER worker$i FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$PGHOST', port '${port[worker$i]}', dbname 'postgres',
				extensions 'spqtree${geometries:+, postgis, spqtree_postgis}', use_remote_estimate 'true', async_capable 'true', fetch_size '10000')" \
			-c "CREATE USER MAPPING FOR CURRENT_USER SERVER worker$i" || return
	done
}

# fdw_divide SET: distributes the tables of a set
fdw_divide() {
	local set=$1 side table i columns partitioning numbers jobs=()
	columns=$(definition_of "$set")
	partitioning=$(new_partitioning "$set") &&
		on coordinator -c "INSERT INTO partitioning VALUES ('$set', '$partitioning')" || return
	for side in a b; do
		table=${set}_$side
		on coordinator -c "CREATE TABLE $table ($columns) PARTITION BY LIST (part)" || return
		for i in 1 2; do
			numbers=$(seq -s , $((i - 1)) 2 "$parts")
			on coordinator -c "CREATE FOREIGN TABLE ${table}_$i PARTITION OF $table FOR VALUES IN ($numbers) SERVER worker$i OPTIONS (table_name '$table')" &&
				on "worker$i" -c "CREATE TABLE $table ($columns)" || return
			rows_of "$table" "$partitioning" "part % 2 = $i - 1" | on "worker$i" -c "COPY $table FROM STDIN (FORMAT binary)" &
			jobs+=($!)
		done
	done
	wait_all "${jobs[@]}"
}

load_all() {
	local set i
	on coordinator -c 'CREATE TABLE partitioning (set text, p spqtree_partitioning)' || return
	for set in "${sets[@]}"; do fdw_divide "$set" || return; done
	for i in 1 2; do
		# each row of "single" is on one worker, all of "small" are on both
		on "worker$i" -c 'CREATE TABLE single (id bigint, b box)' -c 'CREATE TABLE small (id bigint, b box)' &&
			on one -c "COPY (SELECT id, b FROM uniform_a WHERE abs(id % 2) = $i - 1) TO STDOUT" |
			on "worker$i" -c 'COPY single FROM STDIN' &&
			on one -c 'COPY small TO STDOUT' | on "worker$i" -c 'COPY small FROM STDIN' &&
			on "worker$i" -c 'VACUUM ANALYZE' &&
			on coordinator -c "CREATE FOREIGN TABLE single_$i (id bigint, b box) SERVER worker$i OPTIONS (table_name 'single')" \
				-c "CREATE FOREIGN TABLE small_$i (id bigint, b box) SERVER worker$i OPTIONS (table_name 'small')" || return
	done
	on coordinator -c ANALYZE
}

partitioning_of() {
	on coordinator -c "SELECT p FROM partitioning WHERE set = '$1'"
}

# node_in_tasks SET QUERY: joins are shipped to both workers at once, which use the node
node_in_tasks() {
	local plan remote i
	plan_has coordinator 2 'Async Foreign Scan' "$2" && plan_has coordinator 2 'Remote SQL: .* JOIN ' "$2" || return
	plan=$(on coordinator -c "EXPLAIN (VERBOSE, COSTS OFF) $2")
	i=0
	while read -r remote; do
		i=$((i + 1))
		plan_has "worker$i" 1 'Spqtree Spatial Hash Join' "$remote" || return
	done < <(sed -n 's/^ *Remote SQL: //p' <<<"$plan")
	[ "$i" = 2 ]
}

# asks_for_parts PARTS QUERY: the query runs on the workers of these parts only
asks_for_parts() {
	local even=0 odd=0 part
	for part in $(tr -d '{}' <<<"$1" | tr , ' '); do
		if [ $((part % 2)) = 0 ]; then even=1; else odd=1; fi
	done
	plan_has coordinator $((even + odd)) 'Foreign Scan on' "$2"
}

fdw_more() {
	local pairs='SELECT a.id, s.id FROM single@ a JOIN small@ s ON a.b && s.b'
	same 'copied table: pairs' 'SELECT a.id, s.id FROM uniform_a a JOIN small s ON a.b && s.b' "$(arms "$pairs")"
	check 'copied table: the node in each task' node_in_tasks single "$(arms "$pairs")"
}
