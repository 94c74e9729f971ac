# shellcheck shell=bash disable=SC2034,SC2154  # variables are shared with other files
# A private PostgreSQL for a script: the extension is built from a copy of the
# sources and installed into a copy of PostgreSQL's directories. The server of that
# copy listens only on a socket in the temporary directory. The source tree and the
# machine's PostgreSQL, clusters and ports are not touched, and nothing needs root.
#
# Uses common.sh.
# Sets: pg_config, pg_version   the PostgreSQL in use, after find_postgres
#       pg_bin                  its programs in the private copy
#       server_user             the user who runs all of it if the caller is root

pg_config=
pg_version=
pg_bin=
server_user=

# usable PG_CONFIG: true if its server is installed, with everything that PGXS needs
usable() {
	local bindir pgxs
	bindir=$("$1" --bindir 2>/dev/null) && pgxs=$("$1" --pgxs 2>/dev/null) &&
		[ -x "$bindir/postgres" ] && [ -x "$bindir/initdb" ] && [ -f "$pgxs" ] &&
		[ -f "$("$1" --includedir-server)/postgres.h" ]
}

# Prints the directories of the programs in Debian's packages, oldest version first.
debian_bindirs() {
	find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V
}

newest_server() {
	local dir found=
	while IFS= read -r dir; do
		[ ! -x "$dir/postgres" ] || found=$(basename "${dir%/bin}")
	done < <(debian_bindirs)
	printf '%s' "$found"
}

# Sets $pg_config: $PG_CONFIG if the user set it, or the newest complete version of
# Debian's packages, or the pg_config in the PATH.
find_postgres() {
	local dir
	pg_config=
	if [ -n "${PG_CONFIG:-}" ]; then
		pg_config=$(type -P "$PG_CONFIG") || die "PG_CONFIG is $PG_CONFIG, which is not a program"
		pg_config=$(realpath -s "$pg_config")
		usable "$pg_config" || die "PG_CONFIG is $PG_CONFIG, whose PostgreSQL lacks the server or its development files"
	else
		while IFS= read -r dir; do
			! usable "$dir/pg_config" || pg_config=$dir/pg_config
		done < <(debian_bindirs)
		if [ -z "$pg_config" ] && have pg_config && usable pg_config; then
			pg_config=$(type -P pg_config)
		fi
		[ -n "$pg_config" ] || return 1
	fi
	pg_version=$("$pg_config" --version)
	pg_version=${pg_version#PostgreSQL }
	pg_version=${pg_version%% *}
}

extension_version() {
	sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$top/spqtree.control"
}

# as_server COMMAND...: runs a command as the owner of the private server. That is the
# caller, unless this is root, because PostgreSQL refuses to run as root.
as_server() {
	if [ "$EUID" = 0 ]; then
		# unlike runuser, it adds no process that would have to forward signals
		setpriv --reuid "$server_user" --regid "$(id -g "$server_user")" --init-groups \
			env HOME="$work" "$@"
	else
		"$@"
	fi
}

# copy_sources DIR: from the source tree, not from a copy in which tests may be running.
# Omits old build products, which may have other flags or be for another PostgreSQL.
copy_sources() {
	tar -C "$top" --exclude=./.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' --exclude=build \
		--exclude=./tmp_check --exclude=./results --exclude=./output_iso -cf - . |
		as_server tar -C "$1" -xf -
}

# Gives the temporary directory to the owner of the server, copies the sources there
# and sets the environment for the server.
prepare_work() {
	local user
	if [ "$EUID" = 0 ]; then
		for user in postgres nobody; do
			! id -u "$user" >/dev/null 2>&1 || { server_user=$user && break; }
		done
		[ -n "$server_user" ] || die 'PostgreSQL does not run as root, and there is no user postgres or nobody'
		chown "$server_user" "$work"
	fi
	cd "$work" || exit
	as_server mkdir "$work/src" "$work/tmp" "$work/socket" 2>/dev/null ||
		die "user $server_user cannot write to $work" 'set TMPDIR to a directory that every user may enter'
	copy_sources "$work/src"
	pg_bin=$work/root$("$pg_config" --bindir)
	PGUSER=$(id -un)
	export TMPDIR=$work/tmp PATH=$pg_bin:$PATH PGHOST=$work/socket PGDATABASE=postgres PGUSER
}

# Compiles by ccache if it is installed. Its directory is kept between runs, and belongs to
# the owner of the server. ccache sees paths below the temporary directory as relative ones,
# because that directory has another name in each run. From gcc's list of headers (-MD) it knows
# whether it has a file, without the preprocessor, which takes half as long as to compile. The list
# of the bitcode would have the same name, so clang makes none.
use_ccache() {
	local directory=${SPQTREE_CCACHE:-} makefile
	have ccache || return 0
	if [ -z "$directory" ]; then
		directory=${XDG_CACHE_HOME:-$HOME/.cache}/spqtree/ccache
		# nobody else can enter root's home
		[ "$EUID" != 0 ] || directory=/var/cache/spqtree/ccache
	fi
	mkdir -p "$directory" && { [ "$EUID" != 0 ] || chown "$server_user" "$directory"; } || return 0
	export CCACHE_DIR=$directory CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=1G CCACHE_DEPEND=1
	makefile=$(dirname "$("$pg_config" --pgxs)")/../Makefile.global
	build_options+=("CC=ccache $(sed -n 's/^CC *= *//p' "$makefile" | head -n 1) -MD"
		"CLANG=ccache $(sed -n 's/^CLANG *= *//p' "$makefile" | head -n 1)")
}

# build [MAKE ARGUMENT...]: runs make
build_options=()
build() {
	as_server make -s -C "$work/src" --no-print-directory -j "$(nproc)" PG_CONFIG="$pg_config" \
		${build_options[@]+"${build_options[@]}"} "$@"
}

# For a demo: neither bitcode, which takes as long as the library, nor what a debugger reads.
quick_options=(with_llvm=no COPT=-g0)

# build_step: builds as a step that shows the files compiled
build_step() {
	build_options+=("${quick_options[@]}" --no-silent)
	step_count=' -c -o ' step_of=$(build --dry-run 2>/dev/null | grep -c ' -c -o ') \
		step build "for PostgreSQL $pg_version, without LLVM" build
	build_options=("${quick_options[@]}")
}

# Installs the extension beside a copy of the server. PostgreSQL finds its directories
# relative to the program, so a copy with the same layout works; everything except the
# programs can be links.
private_install() {
	local root=$work/root libdir sharedir dir
	libdir=$("$pg_config" --pkglibdir)
	sharedir=$("$pg_config" --sharedir)
	for dir in "$libdir" "$sharedir"; do
		as_server mkdir -p "$root$dir" && as_server cp -rs "$dir/." "$root$dir/" || return
	done
	# The programs may be below $libdir, and then are links at this point.
	as_server mkdir -p "$pg_bin" &&
		as_server cp -rL --remove-destination "$("$pg_config" --bindir)/." "$pg_bin/" || return
	# Remove the machine's version of the extension, if there is one.
	as_server rm -rf "$root$libdir"/spqtree*.so "$root$libdir"/bitcode/spqtree* \
		"$root$sharedir"/extension/spqtree* || return
	build install DESTDIR="$root"
}

# has_extension NAME: 0 if the server has it
has_extension() {
	[ -n "$(find "$("$pg_config" --sharedir)/extension" -name "$1.control")" ]
}

# Builds and installs the companion for PostGIS, if PostGIS is installed.
companion_install() {
	! has_extension postgis || { build -C "$work/src/postgis" && build -C "$work/src/postgis" install DESTDIR="$work/root"; }
}

# start_server [SETTING...]: creates a cluster with checksums, and starts it
start_server() {
	local data=$work/data
	if ! {
		as_server initdb -D "$data" -U "$PGUSER" -A trust --no-locale -E UTF8 --no-sync --data-checksums &&
			printf '%s\n' "listen_addresses = ''" 'port = 5432' \
				"unix_socket_directories = '$PGHOST'" 'fsync = off' "$@" |
			as_server tee -a "$data/postgresql.conf" >/dev/null &&
			as_server pg_ctl start -w -t 60 -D "$data" -l "$work/server.log"
	}; then
		cat "$work/server.log"
		return 1
	fi
}

# connect_command: prints how the caller connects to the database "demo" of this server
connect_command() {
	local program=psql
	PATH=$user_path type -P psql >/dev/null || program=$pg_bin/psql
	printf '%s%s -h %s demo' "${SUDO_USER:+sudo }" "$program" "$PGHOST"
}
