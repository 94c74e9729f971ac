# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# The layout with Citus, which is built for the private copy of PostgreSQL.
#
# Uses packages.sh, postgres.sh, cluster.sh.

want_citus_libraries() {
	local package
	for package in flex bison libpq-dev libkrb5-dev libssl-dev libcurl4-openssl-dev liblz4-dev libzstd-dev \
		libselinux1-dev libpam0g-dev libxslt1-dev libedit-dev libxml2-dev; do
		dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' ||
			want "$package" 'Citus is compiled with it'
	done
}

# Minor releases of PostgreSQL 15 got a function that Citus 13.2 defines as static under the
# same name: remove Citus' own.
patch_citus() {
	local header=src/include/pg_version_compat.h
	grep -q have_createdb_privilege "$("$pg_config" --includedir-server)/commands/dbcommands.h" || return 0
	as_server sed -i -e '/^static inline bool$/{N;/\nhave_createdb_privilege(void)$/{:more;N;/\n}$/!b more;s/.*/#include "commands\/dbcommands.h"/}}' \
		-e 's/^#define have_createdb_privilege.*//' "$header"
}

# build_citus SOURCE: builds a copy of the source, and installs it into the private PostgreSQL
build_citus() {
	as_server mkdir "$work/citus" &&
		tar -C "$1" --exclude=./.git --exclude='*.o' -cf - . | as_server tar -C "$work/citus" -xf - &&
		cd "$work/citus" && patch_citus &&
		as_server ./configure -q PG_CONFIG="$pg_config" --without-libcurl CFLAGS='-O2 -w' &&
		as_server make -s -j "$(nproc)" with_llvm=no &&
		as_server make -s with_llvm=no DESTDIR="$work/root" install
}

citus_begin() {
	parts=${parts:-4}
	step citus 'from a copy of its source' build_citus "$source"
}

start_servers() {
	local server
	start_all "shared_preload_libraries = 'citus,spqtree'" "citus.node_conninfo = 'sslmode=disable'" \
		'citus.max_adaptive_executor_pool_size = 16' && extensions one || return
	for server in worker1 worker2 coordinator; do
		on "$server" -c 'CREATE EXTENSION citus' || return
	done
	on coordinator -c "SELECT citus_set_coordinator_host('$PGHOST', ${port[coordinator]})" \
		-c "SELECT citus_add_node('$PGHOST', ${port[worker1]})" \
		-c "SELECT citus_add_node('$PGHOST', ${port[worker2]})" && extensions coordinator
}

# citus_divide SET: distributes the two tables of a set by part, each in one shard
citus_divide() {
	local set=$1 partitioning table columns jobs=()
	columns=$(definition_of "$set")
	partitioning=$(new_partitioning "$set") &&
		on coordinator -c "CREATE TABLE ${set}_a ($columns)" -c "CREATE TABLE ${set}_b ($columns)" \
			-c "SELECT create_distributed_table('${set}_a', 'part', shard_count => $(on one -c "SELECT count(*) FROM spqtree_part_list('$partitioning')"), colocate_with => 'none')" \
			-c "SELECT create_distributed_table('${set}_b', 'part', colocate_with => '${set}_a')" &&
		partitioning=$(on coordinator -v p="$partitioning" -v t="${set}_a" -f "$top/scripts/lib/cluster_parts.sql") &&
		on coordinator -c "INSERT INTO partitioning VALUES ('$set', '$partitioning')" || return
	for table in "${set}_a" "${set}_b"; do
		rows_of "$table" "$partitioning" | on coordinator -c "COPY $table FROM STDIN (FORMAT binary)" &
		jobs+=($!)
	done
	wait_all "${jobs[@]}" && on coordinator -c "VACUUM ANALYZE ${set}_a, ${set}_b"
}

load_all() {
	local set
	on coordinator -c 'CREATE TABLE partitioning (set text, p spqtree_partitioning)' \
		-c 'CREATE TABLE single (id bigint, b box)' -c "SELECT create_distributed_table('single', 'id')" \
		-c 'CREATE TABLE small (id bigint, b box)' -c "SELECT create_reference_table('small')" &&
		on one -c 'COPY (SELECT id, b FROM uniform_a) TO STDOUT' | on coordinator -c 'COPY single FROM STDIN' &&
		on one -c 'COPY small TO STDOUT' | on coordinator -c 'COPY small FROM STDIN' || return
	for set in "${sets[@]}"; do citus_divide "$set" || return; done
}

partitioning_of() {
	on coordinator -c "SELECT p FROM partitioning WHERE set = '$1'"
}

shards_of() {
	on coordinator -c "SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = '$1'::regclass"
}

all_tasks='SET citus.explain_all_tasks = on'

# node_in_tasks SET QUERY: each shard's plan has the node
node_in_tasks() {
	plan_has coordinator "$(shards_of "${1}_a")" 'Spqtree Spatial Hash Join' "$2" "$all_tasks"
}

# asks_for_parts PARTS QUERY: the query runs on the shards of these parts only
asks_for_parts() {
	plan_has coordinator 1 "Task Count: $(awk -F, '{ print NF }' <<<"$1")$" "$2"
}

# A reference table, and several processes for the query of one shard
citus_more() {
	local p pairs
	same 'reference table: pairs' 'SELECT a.id, s.id FROM uniform_a a JOIN small s ON a.b && s.b' 'SELECT a.id, s.id FROM single a JOIN small s ON a.b && s.b'
	check 'reference table: the node in each task' plan_has coordinator 32 'Spqtree Spatial Hash Join' \
		'SELECT a.id, s.id FROM single a JOIN small s ON a.b && s.b' "$all_tasks"
	p=$(partitioning_of uniform)
	pairs="FROM uniform_a a JOIN uniform_b b USING (part) WHERE a.b && b.b AND spqtree_pair_part(a.b, b.b, '$p') = part"
	set_workers 'max_parallel_workers_per_gather = 2' 'parallel_setup_cost = 0' 'parallel_tuple_cost = 0' 'min_parallel_table_scan_size = 0'
	check 'parallel: the node in each task' plan_has coordinator "$(shards_of uniform_a)" \
		'Parallel Custom Scan \(Spqtree Spatial Hash Join\)' "SELECT a.id, b.id $pairs" "$all_tasks"
	same 'parallel: pairs' 'SELECT a.id, b.id FROM uniform_a a JOIN uniform_b b ON a.b && b.b' "SELECT a.id, b.id $pairs"
	set_workers
}

# set_workers [SETTING...]: replaces the settings of all workers
set_workers() {
	local worker
	for worker in worker1 worker2; do
		printf '%s\n' "$@" | as_server tee "$work/$worker/postgresql.auto.conf" >/dev/null
		as_server "$pg_bin/pg_ctl" reload -s -D "$work/$worker"
	done
	sleep 1 # sessions read settings before their next command
}
