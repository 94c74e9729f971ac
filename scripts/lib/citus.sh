# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# Citus beside the private copy of PostgreSQL, and several servers of that copy.
#
# Uses common.sh, packages.sh, postgres.sh.
# Reads: port   the ports of servers, by name; they are those of sockets only

want_citus_libraries() {
	local package
	for package in flex bison libpq-dev libkrb5-dev libssl-dev libcurl4-openssl-dev liblz4-dev libzstd-dev \
		libselinux1-dev libpam0g-dev libxslt1-dev libedit-dev libxml2-dev; do
		dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' ||
			want "$package" 'Citus is compiled with it'
	done
}

# Minor releases of PostgreSQL 15 got a function that Citus 13.2 has, too, static and
# by the same name: remove Citus' own.
patch_citus() {
	local header=src/include/pg_version_compat.h
	grep -q have_createdb_privilege "$("$pg_config" --includedir-server)/commands/dbcommands.h" || return 0
	as_server sed -i -e '/^static inline bool$/{N;/\nhave_createdb_privilege(void)$/{:more;N;/\n}$/!b more;s/.*/#include "commands\/dbcommands.h"/}}' \
		-e 's/^#define have_createdb_privilege.*//' "$header"
}

# build_citus SOURCE: builds a copy, and installs it into the private PostgreSQL.
build_citus() {
	as_server mkdir "$work/citus" &&
		tar -C "$1" --exclude=./.git --exclude='*.o' -cf - . | as_server tar -C "$work/citus" -xf - &&
		cd "$work/citus" && patch_citus &&
		as_server ./configure -q PG_CONFIG="$pg_config" --without-libcurl CFLAGS='-O2 -w' &&
		as_server make -s -j "$(nproc)" with_llvm=no &&
		as_server make -s with_llvm=no DESTDIR="$work/root" install
}

# start_node NAME CORE SETTING...: on this core alone, or on all if it is empty
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

# set_workers [SETTING...]: in place of those set so before
set_workers() {
	local worker
	for worker in worker1 worker2; do
		printf '%s\n' "$@" | as_server tee "$work/$worker/postgresql.auto.conf" >/dev/null
		as_server "$pg_bin/pg_ctl" reload -s -D "$work/$worker"
	done
	sleep 1 # sessions read settings before their next command
}
